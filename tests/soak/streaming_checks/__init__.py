"""The checks of tests/soak/streaming, by subject. Start at soak.py."""
