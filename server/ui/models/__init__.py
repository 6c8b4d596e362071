"""View models: plain data and finished sentences. The screens, the line mode and the API show the same."""
