import type { ApduView, FrameView, SaleView, TransactionView } from '../api/types.js';

/** Rows that the tree shows at most; the newest ones. */
export const MAX_SHOWN_ROWS = 400;

/** A decision of the kernel with its place in the record. */
export interface StepView {
  /** That of its transaction, a dot, and its own from 1. */
  readonly number: string;
  readonly transaction: number;
  readonly decision: TransactionView['decisions'][number];
}

/** What a node of the tree stands for. */
export type Subject =
  | { readonly kind: 'sale'; readonly sale: SaleView }
  /** Polls in a row, or frames between sales in a row. */
  | { readonly kind: 'polls' | 'between'; readonly frames: readonly FrameView[] }
  | { readonly kind: 'frame'; readonly frame: FrameView }
  | { readonly kind: 'apdu'; readonly apdu: ApduView }
  | { readonly kind: 'step'; readonly step: StepView };

/** A node of the tree. */
export interface TreeNode {
  readonly key: string;
  readonly subject: Subject;
  /** Id of the sale that it belongs to. */
  readonly saleId?: string;
  readonly children: readonly TreeNode[];
}

/** A record of one terminal. */
export interface TerminalRecord {
  readonly sales: readonly SaleView[];
  readonly frames: readonly FrameView[];
  readonly apdus: readonly ApduView[];
  readonly transactions: readonly TransactionView[];
}

/** What rows are looked for; empty texts find everything. */
export interface RowFilter {
  readonly text: string;
  readonly from: 'all' | 'host' | 'terminal' | 'card' | 'kernel';
  readonly tag: string;
  /** Confirmations are shown, too. */
  readonly controls: boolean;
}

/** Entries that carry the tag of a filter, as the simulator found them. */
export interface TaggedEntries {
  readonly frames: ReadonlySet<number>;
  readonly apdus: ReadonlySet<number>;
}

/** A visible row. */
export interface TreeRow {
  readonly node: TreeNode;
  readonly level: number;
  readonly open: boolean;
  readonly parent?: TreeNode;
}

/** Tags whose value a decision sets. */
const TOPIC_TAGS: Readonly<Record<string, string>> = {
  tvr: '95',
  tsi: '9B',
  cvm: '9F34',
  cryptogram: '9F26',
  selection: '84',
  issuer: '8A',
};

/** The record as a tree: sales with their frames, below them the exchanges that they caused, below these the decisions. */
export function saleTree(record: TerminalRecord, controls: boolean): readonly TreeNode[] {
  const index = new RecordIndex(record);
  const frames = controls ? record.frames : record.frames.filter(({ kind }) => kind !== 'control');
  const groups: TreeNode[] = [];
  for (const run of runsOf(frames)) {
    const [first] = run;
    if (!first) continue;
    const sale = first.sale === undefined ? undefined : index.sale(first.sale);
    if (sale) groups.push(index.saleNode(sale, run));
    else groups.push(runNode(first.poll ? 'polls' : 'between', run));
  }
  return [...index.salesWithoutFrames(), ...groups];
}

/** What a terminal had in its record, found by numbers. */
class RecordIndex {
  readonly #record: TerminalRecord;
  readonly #sales: ReadonlyMap<number, SaleView>;
  readonly #apdus: ReadonlyMap<number | undefined, readonly ApduView[]>;
  readonly #steps: ReadonlyMap<number | undefined, readonly StepView[]>;
  readonly #drawn = new Set<number>();

  constructor(record: TerminalRecord) {
    this.#record = record;
    this.#sales = new Map(record.sales.map((sale) => [sale.number, sale]));
    this.#apdus = grouped(record.apdus, ({ sale }) => sale);
    this.#steps = grouped(record.transactions.flatMap(stepsOf), ({ decision }) => decision.sale);
  }

  sale(number: number): SaleView | undefined {
    return this.#sales.get(number);
  }

  saleNode(sale: SaleView, frames: readonly FrameView[]): TreeNode {
    this.#drawn.add(sale.number);
    const below = this.#belowFrames(sale, new Set(frames.map(({ number }) => number)));
    const children = runsOf(frames, true).flatMap((run) =>
      run[0]?.poll
        ? [runNode('polls', run, sale.id)]
        : run.map((frame) => frameNode(frame, below.get(frame.number) ?? [], sale.id)),
    );
    return {
      ...{ key: `sale-${sale.id}`, subject: { kind: 'sale', sale }, saleId: sale.id },
      children: [...(below.get(undefined) ?? []), ...children],
    };
  }

  /** Sales whose frames are forgotten, oldest first. */
  salesWithoutFrames(): readonly TreeNode[] {
    return this.#record.sales
      .filter(({ number }) => !this.#drawn.has(number))
      .map((sale) => this.saleNode(sale, []));
  }

  /** Exchanges and decisions by the request that caused them; by undefined where that is not shown. */
  #belowFrames(
    { id: saleId, number }: SaleView,
    shown: ReadonlySet<number>,
  ): ReadonlyMap<number | undefined, readonly TreeNode[]> {
    const apdus = this.#apdus.get(number) ?? [];
    const known = new Set<number | undefined>(apdus.map((apdu) => apdu.number));
    const stepNode = (step: StepView): TreeNode => ({
      ...{ key: `step-${step.number}`, subject: { kind: 'step', step }, saleId, children: [] },
    });
    const isAfterExchange = ({ decision }: StepView) => known.has(decision.apdu);
    const steps = this.#steps.get(number) ?? [];
    const after = grouped(steps.filter(isAfterExchange), ({ decision }) => decision.apdu);
    const shownFrame = (frame: number | undefined) =>
      frame !== undefined && shown.has(frame) ? frame : undefined;
    // A decision before the first exchange of its sale belongs to the request alone.
    const rows = [
      ...steps
        .filter((step) => !isAfterExchange(step))
        .map((step) => ({ frame: step.decision.frame, node: stepNode(step) })),
      ...apdus.map((apdu) => {
        const children = (after.get(apdu.number) ?? []).map(stepNode);
        const node: TreeNode = {
          key: `apdu-${apdu.number}`,
          subject: { kind: 'apdu', apdu },
          saleId,
          children,
        };
        return { frame: apdu.frame, node };
      }),
    ];
    const nodes = new Map<number | undefined, TreeNode[]>();
    for (const [frame, some] of grouped(rows, (row) => shownFrame(row.frame)))
      nodes.set(
        frame,
        some.map(({ node }) => node),
      );
    return nodes;
  }
}

function grouped<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

function stepsOf({ number: transaction, decisions }: TransactionView): readonly StepView[] {
  return decisions.map((decision, at) => ({ number: `${transaction}.${at + 1}`, transaction, decision }));
}

/** Frames in a row that stand together: those of one sale, polls, or others. */
function runsOf(frames: readonly FrameView[], inside = false): readonly (readonly FrameView[])[] {
  const runs: FrameView[][] = [];
  const groupOf = ({ sale, poll }: FrameView) => (sale === undefined || inside ? `${poll === true}` : sale);
  for (const frame of frames) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && groupOf(last) === groupOf(frame)) run.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

function runNode(kind: 'polls' | 'between', frames: readonly FrameView[], saleId?: string): TreeNode {
  return {
    key: `${kind}-${frames[0]?.number}`,
    subject: { kind, frames },
    ...(saleId !== undefined && { saleId }),
    children: frames.map((frame) => frameNode(frame, [], saleId)),
  };
}

function frameNode(frame: FrameView, children: readonly TreeNode[], saleId?: string): TreeNode {
  return {
    ...{ key: `frame-${frame.number}`, subject: { kind: 'frame', frame }, children },
    ...(saleId !== undefined && { saleId }),
  };
}

/** How many polls a run has: requests, not frames. */
export function pollCount(frames: readonly FrameView[]): number {
  return frames.filter(({ direction, kind }) => direction === 'in' && kind === 'message').length;
}

/** Whether a filter leaves anything out. */
export function isFiltering({ text, from, tag }: RowFilter): boolean {
  return text !== '' || from !== 'all' || tag !== '';
}

/** The part of a tree that a filter finds: what it finds, and what that belongs to. */
export function filtered(
  nodes: readonly TreeNode[],
  filter: RowFilter,
  tagged: TaggedEntries | undefined,
): readonly TreeNode[] {
  if (!isFiltering(filter)) return nodes;
  return nodes.flatMap((node) => {
    const children = filtered(node.children, filter, tagged);
    if (children.length > 0) return [{ ...node, children }];
    if (!isFound(node.subject, filter, tagged)) return [];
    // A sale that is found by its own texts is shown whole.
    return [node.subject.kind === 'sale' ? node : { ...node, children: [] }];
  });
}

function isFound(subject: Subject, filter: RowFilter, tagged: TaggedEntries | undefined): boolean {
  const { text, from, tag } = filter;
  if (from !== 'all' && sourceOf(subject) !== from) return false;
  if (tag !== '' && !hasTag(subject, tag, tagged)) return false;
  return text === '' || textOf(subject).includes(text.toLowerCase());
}

/** Who sent it; undefined for groups. */
function sourceOf(subject: Subject): RowFilter['from'] | undefined {
  switch (subject.kind) {
    case 'frame':
      return subject.frame.direction === 'in' ? 'host' : 'terminal';
    case 'apdu':
      return 'card';
    case 'step':
      return 'kernel';
    default:
      return undefined;
  }
}

function hasTag(subject: Subject, tag: string, tagged: TaggedEntries | undefined): boolean {
  switch (subject.kind) {
    case 'frame':
      return tagged?.frames.has(subject.frame.number) ?? false;
    case 'apdu':
      return tagged?.apdus.has(subject.apdu.number) ?? false;
    case 'step':
      return TOPIC_TAGS[subject.step.decision.topic] === tag;
    default:
      return false;
  }
}

function textOf(subject: Subject): string {
  const parts = ((): readonly (string | undefined)[] => {
    switch (subject.kind) {
      case 'sale':
        return [subject.sale.id, subject.sale.amount, subject.sale.currency, subject.sale.result.application];
      case 'frame':
        return [subject.frame.text, subject.frame.hex];
      case 'apdu':
        return [subject.apdu.name, subject.apdu.meaning, subject.apdu.command, subject.apdu.response];
      case 'step': {
        const { topic, what, reason, value } = subject.step.decision;
        return [topic, what, reason, value];
      }
      default:
        return [];
    }
  })();
  return parts.join('\n').toLowerCase();
}

/** The rows that are visible, and how many older ones are left out. @param isOpen whether a node shows what is below it */
export function visibleRows(
  nodes: readonly TreeNode[],
  isOpen: (node: TreeNode) => boolean,
): { readonly rows: readonly TreeRow[]; readonly hidden: number } {
  const rows: TreeRow[] = [];
  const add = (node: TreeNode, level: number, parent: TreeNode | undefined): void => {
    const open = node.children.length > 0 && isOpen(node);
    rows.push({ node, level, open, ...(parent && { parent }) });
    if (open) for (const child of node.children) add(child, level + 1, node);
  };
  for (const node of nodes) add(node, 1, undefined);
  const hidden = Math.max(0, rows.length - MAX_SHOWN_ROWS);
  return { rows: rows.slice(hidden), hidden };
}

/** The nodes from the root to one with this key; empty where there is none. */
export function pathTo(nodes: readonly TreeNode[], key: string): readonly TreeNode[] {
  for (const node of nodes) {
    if (node.key === key) return [node];
    const below = pathTo(node.children, key);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
