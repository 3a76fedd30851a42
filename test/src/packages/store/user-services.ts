import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands for `systemctl --user`: it carries out the unit that install wrote, for a machine on which no systemd runs. */
const SYSTEMCTL = `#!/bin/sh
[ "$1" = --user ] && shift
unit="$HOME/.config/systemd/user/tillbridge-agent.service"
pid_file="$XDG_RUNTIME_DIR/agent.pid"
of_unit() { sed -n "s/^$1=//p" "$unit"; }
runs() {
  [ -e "$pid_file" ] && status="/proc/$(cat "$pid_file")/status" && [ -e "$status" ] && ! grep -q '^State:.*Z' "$status"
}
case $1 in
daemon-reload) ;;
start | enable)
  runs && exit 0
  cd "$(of_unit WorkingDirectory)" || exit 1
  export "$(of_unit Environment)"
  eval "exec setsid $(of_unit ExecStart)" > "$XDG_RUNTIME_DIR/agent.out" 2>&1 < /dev/null &
  echo $! > "$pid_file"
  ;;
stop | disable)
  runs && kill "$(cat "$pid_file")"
  while runs; do sleep 0.05; done
  rm -f "$pid_file"
  ;;
is-active) if runs; then echo active; else echo inactive; exit 3; fi ;;
*) echo "unknown word $1" >&2; exit 1 ;;
esac
`;

/** The manager of an ordinary user's services, and the variables by which programs find it. */
export class UserServices {
  readonly env: Readonly<Record<string, string>>;
  readonly #runtime: string;

  /** @param runtime an empty folder of the user */
  constructor(runtime: string) {
    this.#runtime = runtime;
    const bin = join(runtime, 'bin');
    // By this folder the user's systemd is recognised.
    mkdirSync(join(runtime, 'systemd'));
    mkdirSync(bin);
    const program = join(bin, 'systemctl');
    writeFileSync(program, SYSTEMCTL);
    for (const path of [join(runtime, 'systemd'), bin, program]) chmodSync(path, 0o755);
    this.env = { XDG_RUNTIME_DIR: runtime, PATH: `${bin}:/usr/bin:/bin` };
  }

  /** The last words of the agent. */
  get log(): string {
    const path = join(this.#runtime, 'agent.out');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Ends what still runs. */
  end(): void {
    const file = join(this.#runtime, 'agent.pid');
    if (!existsSync(file)) return;
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM');
    } catch {
      // It has ended.
    }
  }
}
