import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call, terminalPath } from '../../api/calls.js';
import type { EntriesWithTag } from '../../api/types.js';
import { copyReplayCommand, go, record } from '../../model/actions.js';
import { panel } from '../../model/model.js';
import type { Place } from '../../model/place.js';
import {
  filtered,
  isFiltering,
  pathTo,
  type RowFilter,
  saleTree,
  type TaggedEntries,
  type TerminalRecord,
  type TreeNode,
  visibleRows,
} from '../../model/sale-tree.js';
import { Check } from '../parts/check.js';
import { EntryDetail, placeOf } from './entry-detail.js';
import { FilterBar } from './filter-bar.js';
import { SaleTreeView } from './sale-tree-view.js';
import './wire-view.css';

const NO_FILTER: RowFilter = { text: '', from: 'all', tag: '', controls: false };
/** How long the page waits for more rows before it looks for a tag in them, in milliseconds. */
const TAGGED_MS = 200;
/** Choices of open and folded rows that are remembered. */
const MAX_CHOICES = 500;

/** What passed at a terminal: its sales, each with frames, exchanges, decisions and cryptograms, and what passed between them. */
export function WireView({ id }: { readonly id: string }): JSX.Element {
  const live = useRecord();
  const place = useChosen(panel, (now) => now.place);
  const isRead = useChosen(panel, (now) => now.isRead);
  const [held, setHeld] = useState<TerminalRecord>();
  const [filter, setFilter] = useState(NO_FILTER);
  const [unmasked, setUnmasked] = useState(false);
  const shown = held ?? live;
  const tagged = useTagged(id, filter.tag, shown);
  const tree = useMemo(() => saleTree(shown, filter.controls), [shown, filter.controls]);
  const found = useMemo(() => filtered(tree, filter, tagged), [tree, filter, tagged]);
  const selected = keyOf(place);
  const path = selected === undefined ? [] : pathTo(tree, selected);
  const { isOpen, toggle, setAll } = useOpenNodes(tree, path, isFiltering(filter));
  const { rows, hidden } = visibleRows(found, isOpen);
  const onSelect = (node: TreeNode) => {
    if (node.subject.kind !== 'polls' && node.subject.kind !== 'between') go(placeOf(id, node));
  };
  return (
    <div class="wire">
      <FilterBar filter={filter} onChange={setFilter} />
      <Tools
        id={id}
        filter={filter}
        onFilter={setFilter}
        isHeld={held !== undefined}
        onHold={(on) => setHeld(on ? live : undefined)}
        onAll={setAll}
        isEmpty={live.frames.length === 0}
      />
      {isRead && selected !== undefined && path.length === 0 && (
        <p class="wire-note" role="status">
          What this address names is no longer in the record of this terminal.
        </p>
      )}
      {hidden > 0 && <p class="wire-note">{`${hidden} older rows are not shown: fold some, or filter.`}</p>}
      {rows.length === 0 ? (
        <Empty>
          {isFiltering(filter) ? 'No row is like that.' : 'Nothing has passed over this line yet.'}
        </Empty>
      ) : (
        <SaleTreeView
          label={`Wire of terminal ${id}`}
          rows={rows}
          selected={selected}
          onSelect={onSelect}
          onToggle={toggle}
        />
      )}
      {path.length > 0 && (
        <EntryDetail
          id={id}
          path={path}
          unmasked={unmasked}
          onUnmask={setUnmasked}
          onClose={() => go({ terminal: id, view: 'wire' })}
        />
      )}
    </div>
  );
}

function Tools({
  id,
  filter,
  onFilter,
  isHeld,
  onHold,
  onAll,
  isEmpty,
}: {
  readonly id: string;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly isHeld: boolean;
  readonly onHold: (on: boolean) => void;
  readonly onAll: (open: boolean) => void;
  readonly isEmpty: boolean;
}): JSX.Element {
  const recording = useChosen(
    panel,
    (now) => now.terminals.find((terminal) => terminal.id === id)?.recording,
  );
  return (
    <div class="wire-tools">
      <Button size="small" onClick={() => onAll(true)}>
        Unfold all
      </Button>
      <Button size="small" onClick={() => onAll(false)}>
        Fold all
      </Button>
      <Check label="Hold still" value={isHeld} onChange={onHold} />
      <Check
        label="Confirmations"
        value={filter.controls}
        onChange={(controls) => onFilter({ ...filter, controls })}
      />
      <Button
        size="small"
        kind="quiet"
        icon={recording === undefined ? 'play' : 'stop'}
        onClick={() => record(id, recording === undefined)}
      >
        {recording === undefined ? 'Record' : 'Stop the recording'}
      </Button>
      <Button size="small" kind="quiet" icon="copy" disabled={isEmpty} onClick={() => copyReplayCommand(id)}>
        Copy replay command
      </Button>
    </div>
  );
}

function useRecord(): TerminalRecord {
  const sales = useChosen(panel, (now) => now.sales);
  const frames = useChosen(panel, (now) => now.frames);
  const apdus = useChosen(panel, (now) => now.apdus);
  const transactions = useChosen(panel, (now) => now.transactions);
  return useMemo(() => ({ sales, frames, apdus, transactions }), [sales, frames, apdus, transactions]);
}

/** The entries with a tag; the simulator looks into them, again when there are new ones. */
function useTagged(id: string, tag: string, { frames, apdus }: TerminalRecord): TaggedEntries | undefined {
  const [tagged, setTagged] = useState<TaggedEntries>();
  const wanted = `${tag} ${frames.at(-1)?.number} ${apdus.at(-1)?.number}`;
  useEffect(() => {
    if (tag === '') return undefined;
    const path = `${terminalPath(id, 'entries')}?tag=${encodeURIComponent(tag)}`;
    const read = async (): Promise<void> => {
      const { frames: some, apdus: others } = await call<EntriesWithTag>('GET', path);
      setTagged({ frames: new Set(some), apdus: new Set(others) });
    };
    // No answer: the head of the page shows that.
    const timer = setTimeout(() => void read().catch(() => undefined), TAGGED_MS);
    return () => clearTimeout(timer);
  }, [id, wanted]);
  return tagged;
}

/** Which nodes show what is below them: the newest sale and the way to what is chosen, until the user decides otherwise. */
function useOpenNodes(
  tree: readonly TreeNode[],
  path: readonly TreeNode[],
  isFound: boolean,
): {
  readonly isOpen: (node: TreeNode) => boolean;
  readonly toggle: (node: TreeNode, open: boolean) => void;
  readonly setAll: (open: boolean) => void;
} {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [all, setAll] = useState<boolean>();
  const newest = tree.findLast(({ subject }) => subject.kind === 'sale')?.key;
  const above = new Set(path.slice(0, -1).map(({ key }) => key));
  const aboveKeys = [...above].join(' ');
  // A choice to fold what leads to a node holds until another node is chosen.
  useEffect(() => {
    setChoices((before) => new Map([...before].filter(([key]) => !above.has(key))));
  }, [aboveKeys]);
  return {
    isOpen: ({ key }) => isFound || (choices.get(key) ?? (above.has(key) || (all ?? key === newest))),
    toggle: ({ key }, open) =>
      setChoices((before) => new Map([...before, [key, open] as const].slice(-MAX_CHOICES))),
    setAll: (open) => {
      setAll(open);
      setChoices(new Map());
    },
  };
}

/** Key of the node of a place. */
function keyOf({ sale, entry }: Place): string | undefined {
  if (entry) return `${entry.kind}-${entry.number}`;
  return sale === undefined ? undefined : `sale-${sale}`;
}
