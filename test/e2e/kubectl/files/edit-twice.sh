#!/bin/sh
# The first edit is one that the server refuses; what kubectl opens again is kept in $SEEN, and mended.
if grep -q "size: 9" "$1"; then
  grep -c "is invalid\|less than or equal to 5" "$1" > "$SEEN"
  sed -i "s/size: 9/size: 3/" "$1"
else
  sed -i "s/size: 2/size: 9/" "$1"
fi
