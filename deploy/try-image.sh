#!/usr/bin/env bash
# Builds the image on Debian without a registry of images, and runs it as a user who is not root on a root that cannot be written.
# Needs root and: apt-get install buildah mmdebstrap bubblewrap curl. Leaves nothing behind. The last line is "ok".
set -euo pipefail
cd "$(dirname "$0")/.."
export BUILDAH_ISOLATION=chroot
port="${PORT:-47123}"
work="$(mktemp -d)"
chmod 755 "$work"
server=
base=
image=
clean() {
  [ -z "$server" ] || kill "$server" || true
  for one in $base $image; do buildah rm "$one" > /dev/null || true; done
  buildah rmi localhost/helve-tried localhost/helve-tried-base > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT

# In place of docker.io/library/node: Debian, with the Node and npm of this machine.
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/base.tar"
base="$(buildah from scratch)"
buildah add -q "$base" "$work/base.tar" / > /dev/null
buildah copy -q "$base" "$(readlink -f "$(command -v node)")" /usr/bin/node > /dev/null
npm="$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")"
buildah copy -q "$base" "$npm" /usr/lib/node_modules/npm > /dev/null
buildah run "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah copy -q "$base" "$NODE_EXTRA_CA_CERTS" /etc/ssl/certs/machine.crt > /dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/machine.crt "$base"
fi
buildah commit -q "$base" localhost/helve-tried-base > /dev/null
rm "$work/base.tar"

buildah build -q --format docker --build-arg BASE=localhost/helve-tried-base -f Containerfile -t localhost/helve-tried . > /dev/null
image="$(buildah from localhost/helve-tried)"
cp -a "$(buildah mount "$image")" "$work/root"
echo '127.0.0.1 localhost' > "$work/root/etc/hosts"
echo "size: $(du -sm "$work/root/app" | cut -f1) MB in /app, $(du -sm "$work/root" | cut -f1) MB in all"

# chroot cannot protect a root, so bubblewrap is the container: what Helve starts inside is a second one in it.
install -d -o 10001 -g 10001 -m 700 "$work/data"
inside() {
  setpriv --reuid 10001 --regid 10001 --clear-groups bwrap --ro-bind "$work/root" / --proc /proc --dev /dev --tmpfs /tmp \
    --bind "$work/data" /data --unshare-pid --unshare-ipc --unshare-uts --unshare-user --uid 10001 --gid 10001 --die-with-parent \
    --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /data --setenv HELVE_DATA /data --setenv HELVE_HOST 0.0.0.0 \
    --setenv HELVE_PORT "$port" --setenv NODE_ENV production --chdir /data "$@"
}
inside node /app/bin/helve.js serve > "$work/said" 2>&1 &
server=$!
for _ in $(seq 60); do curl -sf "http://127.0.0.1:$port/health" > /dev/null && break; sleep 0.5; done
curl -sf "http://127.0.0.1:$port/panel/" | grep -q '<script'
inside node /app/bin/healthy.js
[ "$(inside id -u)" = 10001 ]
if inside touch /app/written 2> /dev/null; then echo "error: the root can be written" >&2; exit 1; fi
inside helve call calculate '{"expression":"6*7"}' | grep -q 42
inside helve doctor | tee "$work/doctor"
grep -q '^ok  *commands .*bubblewrap' "$work/doctor"
grep -q '^ok  *workers .*bubblewrap' "$work/doctor"
echo ok
