"""What connections and tasks may say, and what nobody may see of it."""

import errno
import logging
import os

import pytest
from trawl_provider.exceptions import TrawlFailed, TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.operators.verbs import TrawlGc, TrawlSettle
from trawl_provider.settings import SECRET_NAME

SECRET = "wJalrXUtnFEMI/K7MDENG"


@pytest.mark.parametrize(
    "extra, what",
    [
        ({"serve_url": "file:///etc/passwd"}, "serve_url"),
        ({"serve_url": "http://user:secret@serve:8765"}, "serve_url has a user"),
        ({"resource_manager": "http://"}, "resource_manager"),
        ({"environment": "[1]"}, "environment"),
        ({"environment": [1]}, "environment"),
        ({"environment": {"A=B": "x"}}, "A=B"),
        ({"environment": {"A": "a\0b"}}, "environment"),
    ],
)
def test_a_mistake_in_the_connection_is_told_and_not_tried_again(stub, context, extra, what):
    stub.connect(**extra)
    with pytest.raises(TrawlUsageError, match=what) as raised:
        TrawlSettle(task_id="t").execute(context)
    assert "secret" not in str(raised.value) and stub.calls() == []


@pytest.mark.parametrize("word", ["serve.example:8765", "http://serve.example:8765/"])
def test_addresses_may_be_short(stub, word):
    stub.connect(serve_url=word, resource_manager=word)
    settings = TrawlHook().get_conn()
    assert settings.serve_url == settings.resource_manager == "http://serve.example:8765"


@pytest.mark.parametrize("root, what", [("crawl", "absolute"), ("./crawl", "absolute"), ("s3://k:pw@b/c", "password")])
def test_a_root_that_is_none_is_refused(stub, context, caplog, root, what):
    with pytest.raises(TrawlUsageError, match=what) as raised:
        TrawlSettle(task_id="t", root=root).execute(context)
    assert "k:pw" not in str(raised.value) + caplog.text and stub.calls() == []


@pytest.mark.parametrize(
    "environment, agent",
    [("", None), ("{}", None), ('{"TRAWL_FETCH_AGENT": "a"}', "a"), ({"TRAWL_FETCH_AGENT": None, "N": 5}, None)],
)
def test_a_tasks_environment_comes_from_templates_too(stub, context, environment, agent):
    TrawlSettle(task_id="t", environment=environment).execute(context)
    assert stub.environment().get("TRAWL_FETCH_AGENT") == agent


def test_a_tasks_environment_that_is_none_is_refused(stub, context):
    with pytest.raises(TrawlUsageError, match="the task's"):
        TrawlSettle(task_id="t", environment="{{ no object }}").execute(context)


def test_secrets_of_the_environment_are_in_no_log(stub, context, caplog):
    caplog.set_level(logging.DEBUG)
    stub.connect(environment={"AWS_SECRET_ACCESS_KEY": SECRET})
    stub.does("settle", f"echo 'signed with {SECRET}' >&2; exit 3")
    with pytest.raises(TrawlFailed) as raised:
        TrawlSettle(task_id="t", arguments=[f"--x={SECRET}"]).execute(context)
    assert "signed with ***" in str(raised.value) and SECRET not in str(raised.value) + caplog.text


@pytest.mark.parametrize(
    "name, is_secret",
    [
        ("AWS_SECRET_ACCESS_KEY", True),
        ("AWS_SESSION_TOKEN", True),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", False),
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", False),
        ("TRAWL_SERVE_TOKEN", False),
        ("HADOOP_HOME", False),
    ],
)
def test_a_variables_name_says_whether_it_is_a_secret(name, is_secret):
    assert bool(SECRET_NAME.match(name)) == is_secret


def test_trawl_gets_none_of_airflows_own_settings(stub, context, monkeypatch):
    monkeypatch.setenv("AIRFLOW__CORE__FERNET_KEY", "a key")
    stub.does("settle", 'env | grep AIRFLOW > "$STUB/airflow"; echo "{}"')
    TrawlSettle(task_id="t").execute(context)
    assert (stub.folder / "airflow").read_text() == ""


@pytest.mark.parametrize(
    "runner, expected", [(None, (None, "true")), ("local", ("local", "false")), ("streaming", ("streaming", "true"))]
)
def test_without_a_runner_trawl_decides(stub, context, runner, expected):
    TrawlSettle(task_id="t", runner=runner).execute(context)
    assert (stub.environment().get("TRAWL_JOB_RUNNER"), stub.environment()["TRAWL_STREAMING_DETACH"]) == expected


@pytest.mark.parametrize(
    "number, kind",
    [
        (errno.ENOMEM, TrawlFailed),
        (errno.EAGAIN, TrawlFailed),
        (errno.E2BIG, TrawlUsageError),
        (errno.ENOEXEC, TrawlUsageError),
        (errno.ENOTDIR, TrawlUsageError),
    ],
)
def test_only_what_may_pass_is_tried_again(stub, context, monkeypatch, number, kind):
    def refused(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("subprocess.Popen", refused)
    with pytest.raises(kind):
        TrawlGc(task_id="t").execute(context)


def test_one_word_that_is_too_long_for_the_kernel_is_refused(stub, context):
    with pytest.raises(TrawlUsageError, match="too long"):
        TrawlSettle(task_id="t", arguments=["x" * 200_000]).execute(context)
