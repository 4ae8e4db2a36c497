"""What the cluster's own tests are made of."""
