import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { decodeTrace, type Trace } from '@tillbridge/wire/terminals/trace/trace.js';
import { hidPlug, tcpPlug } from '../ports/socket-plug.js';
import type { TerminalPlug } from '../ports/terminal-plug.js';
import { TerminalPort } from '../ports/terminal-port.js';
import { memorySlot } from '../state/state-slot.js';
import { ReplayDevice } from './replay-device.js';
import { type ReplayResult, replayPlan } from './replay-plan.js';

/** The command line of `tillbridge-sim replay`. */
interface ReplayCommand {
  readonly file: string;
  /** Where the agent finds the terminal; for TCP the system chooses. */
  readonly path: string;
  /** Times the recorded speed; 0 waits for nothing. */
  readonly speed: number;
  readonly print: (line: string) => void;
}

function plugFor({ header }: Trace, path: string, onPlug: (line: BytePipe) => void): TerminalPlug {
  switch (header.transport) {
    case 'hid':
      return hidPlug(resolve(path), onPlug);
    case 'tcp':
      return tcpPlug(memorySlot(), onPlug);
    default:
      return new TerminalPort(resolve(path), onPlug);
  }
}

/**
 * Plays the device side of a recording once, as a terminal that an agent can be pointed to.
 * @throws TraceError, the file system's error, LibcError
 */
export async function replay({ file, path, speed, print }: ReplayCommand): Promise<ReplayResult> {
  const trace = decodeTrace(readFileSync(file, 'utf8'));
  const steps = replayPlan(trace.events);
  const device = new ReplayDevice({
    steps,
    clock: systemClock,
    speed: speed === 0 ? Number.POSITIVE_INFINITY : speed,
    onStep: (done, of) => print(`step ${done} of ${of}`),
  });
  const plug = plugFor(trace, path, (line) => device.attach(line));
  await plug.plug();
  const { deviceType, transport, startedAt } = trace.header;
  print(`${deviceType} of ${startedAt}: waits for its host, transport ${transport}, path ${plug.path}`);
  const result = await device.ended;
  await plug.unplug();
  const { hostSteps, different, complete } = result;
  print(
    `${complete ? 'complete' : 'the host stopped'}: ${hostSteps} messages of the host, ${different} other than recorded`,
  );
  return result;
}
