"""The test cluster: Hadoop's daemons and an S3 server on this machine's loopback. Start reading at cluster.py."""
