"""What Airflow reads to know this provider (entry point `apache_airflow_provider`)."""

from __future__ import annotations

import sys
import types
from typing import Any

# For Airflow 3.0, which asks the hook, and for later ones, which read the provider's info.
UI_FIELD_BEHAVIOUR: dict[str, Any] = {
    "hidden-fields": ["schema", "login", "port"],
    "relabeling": {"host": "Root of the crawl", "password": "Token of trawl serve"},
    "placeholders": {
        "host": "/data/crawl, hdfs://nameservice/crawl or s3://bucket/crawl",
        "extra": '{"binary": "/opt/trawl/bin/trawl", "environment": {"TRAWL_FETCH_CONTACT": "https://you.example/"}}',
    },
}


def _field(label: str, description: str, default: str | None = None) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": ["string", "null"]} | ({"default": default} if default else {})
    return {"label": label, "description": description, "schema": schema}


def _modules(*names: str) -> list[dict[str, Any]]:
    return [{"integration-name": "Trawl", "python-modules": list(names)}]


def _answer_airflows_guess() -> None:
    """Airflow 3.3 looks for a provider's examples in a module that is called as its distribution. Without that
    module it logs an error with a traceback at each start. This one has no examples: who wants ours copies them."""
    sys.modules.setdefault("airflow_provider_trawl", types.ModuleType("airflow_provider_trawl", "See trawl_provider."))


def get_provider_info() -> dict[str, Any]:
    from trawl_provider import __version__

    _answer_airflows_guess()
    return {
        "package-name": "airflow-provider-trawl",
        "name": "Trawl",
        "description": "Crawl rounds of Trawl as tasks, on this machine or on YARN, with deferral, sensors and assets.",
        "versions": [__version__],
        "integrations": [{"integration-name": "Trawl", "external-doc-url": "", "tags": ["software"]}],
        "connection-types": [
            {
                "connection-type": "trawl",
                "hook-class-name": "trawl_provider.hooks.trawl.TrawlHook",
                "hook-name": "Trawl",
                "ui-field-behaviour": UI_FIELD_BEHAVIOUR,
                "conn-fields": {
                    "binary": _field("Binary", "the trawl of the workers; without it the one in the PATH"),
                    "runner": _field("Runner", "local, streaming for tasks on YARN, or auto for what fits each job"),
                    "queue": _field("YARN queue", "without it the cluster's default"),
                    "bundle": _field("Bundle", "archive that scripts/bundle made, here or hdfs://…"),
                    "resource_manager": _field(
                        "ResourceManager", "its web address, http://host:8088, for links and triggers"
                    ),
                    "serve_url": _field("trawl serve", "its address, for links, sensors and triggers"),
                    "environment": _field(
                        "Environment",
                        'a JSON object of variables, such as {"TRAWL_FETCH_CONTACT": "https://you.example/"}',
                    ),
                },
            }
        ],
        "hooks": _modules("trawl_provider.hooks.trawl"),
        "operators": _modules("trawl_provider.operators.verbs"),
        "sensors": _modules("trawl_provider.sensors.trawl"),
        "triggers": _modules("trawl_provider.triggers.job", "trawl_provider.triggers.crawl"),
        "extra-links": ["trawl_provider.links.TrawlServeLink", "trawl_provider.links.TrawlYarnLink"],
        "asset-uris": [{"schemes": ["trawl"], "handler": "trawl_provider.assets.sanitize_uri"}],
    }
