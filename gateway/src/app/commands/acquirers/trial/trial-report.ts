import {
  type DescribedMessage,
  describeWithRules,
  formatMessage,
} from '@tillbridge/wire/iso8583/describe/describe.js';
import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { LinkObserver } from '../../../../core/acquirers/iso8583/link/link-deps.js';
import type { TapObserver } from '../../../../core/acquirers/iso8583/trial/tapped-host.js';
import type {
  TrialObserver,
  TrialResult,
  TrialStep,
} from '../../../../core/acquirers/iso8583/trial/trial.js';

/** Something that happened during a step: a message, or a note. */
type TrialEvent =
  | ({ readonly direction: 'sent' | 'received'; readonly at: string } & Pick<
      DescribedMessage,
      'fields' | 'problem'
    >)
  | { readonly note: string; readonly at: string };

interface ReportedStep {
  readonly step: TrialStep | 'sign-off';
  readonly events: TrialEvent[];
  outcome?: TrialResult['outcome'];
  detail?: string;
}

/** What a report needs. */
interface TrialReportDeps {
  readonly dialect: Dialect;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Takes each line as soon as it is known; absent: nothing is printed meanwhile. */
  readonly print?: (line: string) => void;
}

/** Records what a trial does, masked (P7), and prints it while it runs. */
export class TrialReport implements TapObserver, TrialObserver {
  readonly steps: ReportedStep[] = [];
  readonly #deps: TrialReportDeps;

  constructor(deps: TrialReportDeps) {
    this.#deps = deps;
  }

  begins(step: ReportedStep['step']): void {
    this.steps.push({ step, events: [] });
    this.#print(step);
  }

  ends({ outcome, detail }: TrialResult): void {
    const step = this.steps.at(-1);
    if (step) Object.assign(step, { outcome, detail: maskText(detail) });
    this.#print(`  ${outcome}: ${maskText(detail)}`);
  }

  message(direction: 'sent' | 'received', bytes: Uint8Array): void {
    const described = describeWithRules(this.#deps.dialect, bytes);
    const { fields, problem } = described;
    const at = this.#at();
    this.#add({ direction, at, fields, ...(problem !== undefined && { problem }) });
    this.#print(`  ${direction} ${at}`);
    for (const line of formatMessage(described).slice(1)) this.#print(`    ${line}`);
    if (problem !== undefined) this.#print(`    ! the rest cannot be read: ${problem}`);
  }

  note(text: string): void {
    const note = maskText(text);
    this.#add({ note, at: this.#at() });
    this.#print(`  ${note}`);
  }

  /** What the link itself reports, as notes. */
  readonly link: LinkObserver = {
    bad: (reason) => this.note(`a message of the host is refused: ${reason}`),
    lateApproval: () => this.note('an approval came after its reversal: it is reversed again'),
    detailsLeftOut: (_, count) => this.note(`${count} parameters do not fit into a message`),
    notWritten: (_, reason) => this.note(`a message cannot be written: ${reason}`),
    withoutCard: () => this.note('a reversal names no card: the vault has it no more'),
    fault: (error) => this.note(`fault of the link: ${error instanceof Error ? error.message : 'unknown'}`),
  };

  #add(event: TrialEvent): void {
    this.steps.at(-1)?.events.push(event);
  }

  #at(): string {
    return new Date(this.#deps.clock.nowMs()).toISOString();
  }

  #print(line: string): void {
    this.#deps.print?.(line);
  }
}
