"""The S3 server of the test cluster: its credentials, made up for each start, its command and its one bucket."""

import os
import secrets
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pseudo.shape import LOOPBACK

BUCKET = "trawl-test"
REGION = "us-east-1"


@dataclass(frozen=True)
class Credentials:
    key: str
    secret: str


def make_credentials(folder: Path) -> Credentials:
    """Writes new credentials where AWS' libraries look for a node's own, for the owner's eyes only."""
    credentials = Credentials("TEST" + secrets.token_hex(8).upper(), secrets.token_urlsafe(30))
    path = credentials_file(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"[default]\naws_access_key_id = {credentials.key}\naws_secret_access_key = {credentials.secret}\n")
    return credentials


def read_credentials(folder: Path) -> Credentials:
    lines = dict(line.split(" = ") for line in credentials_file(folder).read_text().splitlines()[1:])
    return Credentials(lines["aws_access_key_id"], lines["aws_secret_access_key"])


def credentials_file(folder: Path) -> Path:
    return folder / "s3/credentials"


def command(home: Path, folder: Path, port: int) -> list[str]:
    """The command line, without credentials: everyone can read command lines. `environment` carries them."""
    if (home / "versitygw").exists():
        buckets = folder / "s3/buckets"
        buckets.mkdir(parents=True, exist_ok=True)
        # Connections are not kept alive: on a kept one this server sometimes takes the end of a chunked upload for the
        # next request, and refuses the one after it (400).
        return [str(home / "versitygw"), "--port", f"{LOOPBACK}:{port}", "--region", REGION, "posix", str(buckets)]
    return [str(home / "bin/moto_server"), "-H", LOOPBACK, "-p", str(port)]


def environment(folder: Path) -> dict[str, str]:
    credentials = read_credentials(folder)
    return {"ROOT_ACCESS_KEY_ID": credentials.key, "ROOT_SECRET_ACCESS_KEY": credentials.secret}


def create_bucket(folder: Path, port: int) -> None:
    """Raises RuntimeError if the server refuses. A bucket that exists stays as it is."""
    credentials = read_credentials(folder)
    options = [
        f'url = "http://{LOOPBACK}:{port}/{BUCKET}"', 'request = "PUT"', f'aws-sigv4 = "aws:amz:{REGION}:s3"',
        f'user = "{credentials.key}:{credentials.secret}"', 'noproxy = "*"', "silent", 'write-out = "%{http_code}"', "max-time = 30",
        'header = "x-amz-content-sha256: UNSIGNED-PAYLOAD"', 'header = "Content-Type: application/octet-stream"',
    ]
    answer = subprocess.run(["curl", "--config", "-"], input="\n".join(options), capture_output=True, text=True)
    if not answer.stdout.endswith(("200", "409")):
        raise RuntimeError(f"the S3 server refuses the bucket {BUCKET}: {answer.stdout or answer.stderr}")


def uri(port: int) -> str:
    return f"s3://{BUCKET}/test?endpoint_override={LOOPBACK}:{port}&scheme=http&region={REGION}"
