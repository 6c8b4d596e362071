"""What all tests share."""

from hypothesis import settings

# No test may depend on the speed of the machine; everything else stays as it is (also under CI).
settings.register_profile("tide", settings.default, deadline=None)
settings.load_profile("tide")
