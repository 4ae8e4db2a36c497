"""The checks of tests/soak/streaming, by what they are about. Start at soak.py."""
