"""The views: one module per topic. The pages of a night share the blueprint in `night`."""
