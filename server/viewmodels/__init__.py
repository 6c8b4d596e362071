"""View models: plain data and finished sentences. Full screen, line mode and the API show the same."""
