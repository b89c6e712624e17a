"""The crosswalk: for each provision its counterparts on the other side, the stricter rule, or a gap."""
