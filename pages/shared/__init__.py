"""What every page opens with: the frame, the shared resources, controls and panels."""
