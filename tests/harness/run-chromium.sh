#!/bin/sh
# Playwright starts one program. This one is the browser behind another command, such as one that enters a network.
# shellcheck disable=SC2086 -- the command has several words
exec $BECKON_TEST_RUN "$BECKON_TEST_CHROMIUM" "$@"
