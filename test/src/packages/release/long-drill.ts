import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackArchive } from '@tillbridge/agent/update/slots/unpack.js';
import { withStoreMigration } from '../../stack/changed-build.js';
import { partHome } from '../../stack/layout.js';
import { type PartProcess, startPart } from '../../stack/part-process.js';
import { reservedPorts } from '../../stack/reserved-ports.js';
import { type Stack, startStack } from '../../stack/stack.js';
import type { ArchiveEntry } from '../archive-entry.js';
import { PackageFailure } from '../package-failure.js';
import {
  changedEntries,
  type DrillKeys,
  drillKeys,
  MIGRATION,
  NO_START,
  writeArchive,
  writeRelease,
} from './drill-programs.js';
import { expectedArchive, UpdateDrill } from './update-drill.js';

/** Gives the files of a packed program under a version and the number of a release. */
export type Packed = (
  program: 'agent' | 'gateway',
  version: string,
  release: { readonly number: number; readonly root: Uint8Array },
) => readonly ArchiveEntry[];

/** A packed program that does not start is found out after this time. */
const HEALTHY_SECONDS = 60;
const TERMINALS = 2;
const STEPS = ['unpacking', 'rehearsing', 'waiting', 'stopping', 'copying', 'switching', 'starting'];
const STEPS_BACK = ['going-back', 'switching-back', 'restarting'];

/** Before and after each of the steps. */
const kills = (steps: readonly string[]): string[] =>
  steps.flatMap((step) => [`update-${step}:before`, `update-${step}:after`]);

/**
 * Updates a packed agent at a packed gateway, N−1 to N and back, while a till sells: kills at every step, a forced way back, a program that does not
 * start, and each of both at the other's release.
 * @throws PackageFailure where a promise was not kept
 */
export async function drillUpdates(packed: Packed, note: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-drill-'));
  const keys = drillKeys();
  const began = performance.now();
  const tell = (text: string) =>
    note(`drill: ${text} (${((performance.now() - began) / 1_000).toFixed(0)} s)`);
  let drilled: Drilled | undefined;
  try {
    const programs = await makePrograms(folder, packed, keys);
    tell('agent and gateway are packed as N−1 and N');
    drilled = await Drilled.open(folder, programs);
    await drillAll(drilled, programs, tell);
  } finally {
    await drilled?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Places of archives and releases. */
interface DrillPrograms {
  readonly agent: string;
  readonly next: string;
  readonly broken: string;
  readonly gateways: Readonly<Record<GatewayRelease, string>>;
}

type GatewayRelease = 'N−1' | 'N';

async function makePrograms(folder: string, packed: Packed, keys: DrillKeys): Promise<DrillPrograms> {
  const root = Buffer.from(JSON.stringify(keys.root));
  const make = async (
    number: number,
    change: (entries: readonly ArchiveEntry[]) => readonly ArchiveEntry[],
  ) => {
    const version = `0.1.${number}`;
    const entries = change(packed('agent', version, { number, root }));
    return writeRelease(join(folder, version), { version, release: number, entries }, keys);
  };
  await make(1, (entries) => entries);
  const gateway = async (name: GatewayRelease, number: number, entries: readonly ArchiveEntry[]) => {
    const place = join(folder, `gateway-${number}`);
    const archive = await writeArchive(place, `tillbridge-gateway-0.1.${number}`, entries);
    await unpackArchive(createReadStream(archive), expectedArchive(archive), join(place, 'program'));
    return [name, join(place, 'program', 'bin', 'tillbridge-gateway')] as const;
  };
  const entries = packed('gateway', '0.1.1', { number: 1, root });
  return {
    agent: join(folder, '0.1.1', `tillbridge-agent-0.1.1-linux-${process.arch}.tar.gz`),
    next: await make(2, (all) => changedEntries(all, MIGRATION)),
    broken: await make(3, (all) => changedEntries(all, MIGRATION, NO_START)),
    gateways: Object.fromEntries([
      await gateway('N−1', 1, entries),
      await gateway('N', 2, changedEntries(entries, withStoreMigration)),
    ]) as DrillPrograms['gateways'],
  };
}

/** A running system: gateway and agent are packed, the simulator is that of the checkout. */
class Drilled {
  readonly drill: UpdateDrill;
  readonly #stack: Stack;
  readonly #home: string;
  readonly #programs: DrillPrograms;
  #gateway: PartProcess | undefined;

  private constructor(stack: Stack, home: string, programs: DrillPrograms, drill: UpdateDrill) {
    this.#stack = stack;
    this.#home = home;
    this.#programs = programs;
    this.drill = drill;
  }

  static async open(folder: string, programs: DrillPrograms): Promise<Drilled> {
    const home = join(folder, 'home');
    const ports = await reservedPorts();
    const options = {
      ...{ home, tour: false, ...ports.options, chosen: new Set<never>(), auto: true, offline: 'on' },
      external: false,
    };
    const extras = { hosts: false, nexo: false, terminalCount: TERMINALS, ...ports.extras };
    const stack = await startStack(options, extras);
    const place = { below: join(folder, 'store'), healthySeconds: HEALTHY_SECONDS };
    const drill = await UpdateDrill.open({ stack, home }, programs.agent, place);
    const drilled = new Drilled(stack, home, programs, drill);
    await stack.part('gateway')?.stop();
    await drilled.startGateway('N−1');
    return drilled;
  }

  /** Puts a gateway of a release in the place of the one that runs. */
  async startGateway(release: GatewayRelease): Promise<void> {
    await this.#gateway?.stop();
    const { port } = new URL(this.#stack.dev.gateway.url);
    this.#gateway = await startPart({
      name: 'gateway',
      runner: [this.#programs.gateways[release]],
      args: ['serve'],
      env: { GATEWAY_HOME: partHome(this.#home, 'gateway'), GATEWAY_PORT: port, GATEWAY_HOST: '127.0.0.1' },
    });
  }

  async close(): Promise<void> {
    await this.drill.close();
    await this.#gateway?.stop();
    await this.#stack.stop();
  }
}

async function drillAll(
  drilled: Drilled,
  { next, broken }: DrillPrograms,
  tell: (text: string) => void,
): Promise<void> {
  const { drill } = drilled;
  /** The till has sold behind what was done, and the acquirer has what was reported. */
  const stands = async (text: string, release: number): Promise<void> => {
    const current = drill.places.current() ?? 'a';
    const runs = drill.places.recordOf(current)?.release;
    if (runs !== release)
      throw new PackageFailure(`${text}: release ${runs} runs, not ${release}: ${drill.log}`);
    await drill.untilSelling();
    await drill.soldAgain();
    await drill.end();
    const wrong = await drill.differences();
    if (wrong.length > 0) throw new PackageFailure(`${text}: ${wrong.join('; ')}`);
    tell(`${text}; ${drill.approved} sales stand as they were reported`);
    drill.begin();
  };
  const must = (
    text: string,
    { code, text: said }: { code: number | null; text: string },
    wanted: number,
  ) => {
    if (code !== wanted) throw new PackageFailure(`${text} ended with ${code}, not ${wanted}: ${said}`);
  };
  drill.begin();
  await stands('agent N−1 sells at gateway N−1', 1);
  must('the update', await drill.updateThrough([next], kills(STEPS)), 0);
  await stands(`the agent is updated to N, killed ${2 * STEPS.length} times on the way`, 2);
  must('the way back', await drill.updateThrough(['rollback'], kills(STEPS.slice(1))), 0);
  await stands('the agent goes back to N−1 on request, killed at every step', 1);
  await drilled.startGateway('N');
  await stands('agent N−1 sells at gateway N', 1);
  must('the update', await drill.update([next]), 0);
  await stands('the agent is updated to N at gateway N', 2);
  await drilled.startGateway('N−1');
  await stands('agent N sells at gateway N−1, on the database of N', 2);
  must('the update', await drill.updateThrough([broken], kills(STEPS_BACK)), 1);
  await stands('the agent goes back by itself from a program that does not start, killed at every step', 2);
  must('a look', await drill.update(['status']), 0);
}
