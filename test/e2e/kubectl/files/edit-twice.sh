#!/bin/sh
# The server rejects the first edit; the file that kubectl opens again is saved in $SEEN, and fixed.
if grep -q "size: 9" "$1"; then
  grep -c "is invalid\|less than or equal to 5" "$1" > "$SEEN"
  sed -i "s/size: 9/size: 3/" "$1"
else
  sed -i "s/size: 2/size: 9/" "$1"
fi
