"""The lobby, and what a big screen shows at no table."""
