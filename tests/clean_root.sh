#!/usr/bin/env bash
# The two commands on a machine with nothing installed: bootstraps a minimal root of this machine's own Debian or
# Ubuntu release, copies the checkout in as it stands, and runs there
#   tools/run.sh scenarios/hello/two_hosts.yaml
#   tools/test.sh                                  (with `tests/clean_root.sh --tests`: it takes some minutes more)
# The packages come from wherever this machine's apt gets its own. Exit status 77 means skipped; the reason is printed.
set -euo pipefail

skip() { echo "clean_root: skipped, $*"; exit 77; }

top=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in debootstrap apt-get unshare git; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
git -C "$top" rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip "not a git checkout"
if [ -z "${WEFT_CLEAN_ROOT:-}" ]; then  # mounts made below vanish with this namespace, whatever happens
  unshare --mount true 2>/dev/null || skip "mount namespaces are not allowed here"
  WEFT_CLEAN_ROOT=1 exec unshare --mount "${BASH_SOURCE[0]}" "$@"
fi

suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk -v suite="$suite" '$1 == suite && $2 == "main" {print $3; exit}')
[ -n "$mirror" ] || skip "apt has no source for the main part of '$suite'"
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
export http_proxy https_proxy

scratch=$(mktemp -d)
root=$scratch/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$scratch"' EXIT
mkdir -p "$scratch/lists/partial"
apt-get -o Dir::State::Lists="$scratch/lists" -o APT::Update::Error-Mode=any update >"$scratch/log" 2>&1 ||
  skip "no network: apt-get update fails: $(grep -m1 '^[EW]:' "$scratch/log")"

step() {  # what, command...: prints how long it took
  local start=$SECONDS what=$1
  shift
  "$@"
  echo "clean_root: $what: $((SECONDS - start)) s"
}

bootstrap() {
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; exit 1; }
  mount -t proc proc "$root/proc"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Sources, keys and the way to reach them, but not this machine's hooks and preferences.
  rm -rf "$root"/etc/apt/sources.list*
  for item in sources.list sources.list.d auth.conf auth.conf.d trusted.gpg trusted.gpg.d keyrings; do
    [ ! -e "/etc/apt/$item" ] || cp -aLT "/etc/apt/$item" "$root/etc/apt/$item"
  done
  cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
  mkdir -p "$root/etc/ssl" && cp -aLT /etc/ssl/certs "$root/etc/ssl/certs"  # for sources reached by https
  apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/00acquire"
  mkdir -p "$root/root/weft"
  git -C "$top" ls-files -z --cached --others --exclude-standard --deduplicate |
    tar -C "$top" -c --null --ignore-failed-read -T - 2>/dev/null | tar -C "$root/root/weft" -x --no-same-owner
}

inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    /bin/bash -c 'cd /root/weft && "$@"' - "$@"
}

step "minimal $suite" bootstrap
! inside command -v c++ cmake >/dev/null || { echo "clean_root: the root is not clean"; exit 1; }
step "tools/run.sh, everything installed and built" inside tools/run.sh scenarios/hello/two_hosts.yaml
step "tools/run.sh again" inside tools/run.sh scenarios/hello/two_hosts.yaml
if [ "${1:-}" = --tests ]; then
  step "tools/test.sh" inside tools/test.sh
fi
