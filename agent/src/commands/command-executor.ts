import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import {
  type Command,
  CommandAction,
  type CommandResult,
  CommandState,
  type Heartbeat,
  type SaleReport,
} from '@tillbridge/wire/bridge/messages.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import { SaleError, type SaleService } from '../sale/service/sale-service.js';

/** Limits of the commands of the gateway. */
export const COMMAND_LIMITS = {
  /** Results that are kept, so that a command that comes again gets its own. */
  kept: 1_000,
  /** Commands carried out at once; another one is refused. */
  running: 32,
} as const;

/** What commands are carried out with. */
interface CommandDeps {
  readonly service: Pick<SaleService, 'flush' | 'cancel'>;
  /** The state of the store as a heartbeat reports it. */
  readonly status: () => Heartbeat;
  /** What is recorded of a sale; undefined where there is none under the reference. */
  readonly report: (reference: string) => Promise<SaleReport | undefined>;
  readonly log: { info(about: object, text: string): void; error(about: object, text: string): void };
}

/** The result of a command, without its id. */
type Ended = Partial<Omit<CommandResult, 'commandId'>>;

const NOTHING: Omit<CommandResult, 'commandId' | 'status' | 'saleReport'> = {
  state: CommandState.DONE,
  reasonCode: '',
  reason: '',
  saleState: '',
  saleOutcome: '',
};

/**
 * Carries out commands of the gateway, each once: its results are kept by their ids. After a restart of the agent a command may come again
 * that was carried out; each of them changes nothing the second time (a sale is cancelled under its reference, which is never used twice).
 */
export class CommandExecutor {
  readonly #deps: CommandDeps;
  /** The first to come first. */
  readonly #results = new Map<string, Promise<CommandResult>>();
  #running = 0;

  constructor(deps: CommandDeps) {
    this.#deps = deps;
  }

  /** The result of a command, carried out now or before. Never rejects. */
  take(id: string, command: Command): Promise<CommandResult> {
    const known = this.#results.get(id);
    if (known) return known;
    // Not kept: it may come again.
    if (this.#running >= COMMAND_LIMITS.running)
      return Promise.resolve(resultOf(id, refused('busy', 'the agent carries out other commands')));
    const result = this.#carryOut(id, command);
    this.#results.set(id, result);
    if (this.#results.size > COMMAND_LIMITS.kept) {
      const [oldest = ''] = this.#results.keys();
      this.#results.delete(oldest);
    }
    return result;
  }

  async #carryOut(id: string, command: Command): Promise<CommandResult> {
    this.#running += 1;
    this.#deps.log.info(
      { ...securityEvent('gateway-command'), commandId: id, action: CommandAction[command.action] },
      'command of the gateway',
    );
    try {
      return resultOf(id, await this.#act(command));
    } catch (error) {
      if (error instanceof SaleError) return resultOf(id, refused(error.code, error.message));
      this.#deps.log.error({ commandId: id, err: error }, 'command failed');
      return resultOf(id, refused('failed', 'the agent could not carry it out: see its log'));
    } finally {
      this.#running -= 1;
    }
  }

  async #act({ action, reference }: Command): Promise<Ended> {
    const { service, status, report } = this.#deps;
    switch (action) {
      case CommandAction.PING:
        return {};
      case CommandAction.FLUSH:
        await service.flush();
        return { status: status() };
      case CommandAction.STATUS:
        return { ...(reference !== '' && afterReport(reference, await report(reference))), status: status() };
      case CommandAction.CANCEL_SALE:
        return afterCancel(await service.cancel(reference));
      default:
        return refused('unknown-command', 'this version of the agent does not know the command');
    }
  }
}

/** A sale past its decision stays as it is: nothing was cancelled. */
function afterCancel({ state, outcome }: SaleAnswer): Ended {
  const sale = { saleState: state, saleOutcome: outcome ?? '' };
  if (outcome === 'cancelled' || outcome === null) return sale;
  return { ...refused('not-cancelled', `the sale ended as ${outcome}`), ...sale };
}

function afterReport(reference: string, saleReport: SaleReport | undefined): Ended {
  return saleReport ? { saleReport } : refused('unknown-reference', `the journal has no sale "${reference}"`);
}

function refused(reasonCode: string, reason: string): Ended {
  return { state: CommandState.REFUSED, reasonCode, reason: reason.slice(0, BRIDGE_LIMITS.maxReasonLength) };
}

function resultOf(commandId: string, ended: Ended): CommandResult {
  return { commandId, ...NOTHING, ...ended };
}
