"""What several test files share."""

import pytest

CHECKING = ("command_line", "other_games", "plugin_games", "searches")  # those that assert what tests are about

pytest.register_assert_rewrite(*(f"helpers.{name}" for name in CHECKING))
