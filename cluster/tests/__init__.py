"""Parts of the cluster's own tests."""
