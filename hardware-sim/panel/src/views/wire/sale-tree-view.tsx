import { timeText } from '@tillbridge/panel-kit/format.js';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pollCount, type Subject, type TreeNode, type TreeRow } from '../../model/sale-tree.js';
import { spaced } from '../parts/hex.js';

/** How near to its end a list counts as at its end, in pixels. */
const END_PX = 40;

/** What a tree shows and reports. */
interface SaleTreeProps {
  readonly label: string;
  readonly rows: readonly TreeRow[];
  /** Key of the node whose detail is shown. */
  readonly selected: string | undefined;
  readonly onSelect: (node: TreeNode) => void;
  readonly onToggle: (node: TreeNode, open: boolean) => void;
}

/** Rows as a tree, by mouse and by keyboard (WAI-ARIA tree view pattern). It stays at its end unless the user has scrolled up. */
export function SaleTreeView({ label, rows, selected, onSelect, onToggle }: SaleTreeProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [focused, setFocused] = useState<string>();
  const has = (key: string | undefined) => rows.some(({ node }) => node.key === key);
  const active = [focused, selected].find(has) ?? rows.at(-1)?.node.key;
  const rowElement = (key: string) =>
    [...(element.current?.children ?? [])].find((row) => (row as HTMLElement).dataset.key === key) as
      | HTMLElement
      | undefined;
  const isSelectedShown = has(selected);
  useLayoutEffect(() => {
    const list = element.current;
    if (list && atEnd.current && selected === undefined) list.scrollTop = list.scrollHeight;
  }, [rows]);
  useLayoutEffect(() => {
    const list = element.current;
    if (!list || selected === undefined || !isSelectedShown) return undefined;
    const show = () => rowElement(selected)?.scrollIntoView({ block: 'nearest' });
    // The detail takes its place when it has been read. An observer calls at once.
    const observer = new ResizeObserver(show);
    observer.observe(list);
    return () => observer.disconnect();
  }, [selected, isSelectedShown]);
  const note = () => {
    const list = element.current;
    if (list) atEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < END_PX;
  };
  const focus = (row: TreeRow | undefined) => {
    if (!row) return;
    setFocused(row.node.key);
    rowElement(row.node.key)?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ node }) => node.key === active);
    const row = rows[at];
    if (!row || !move(event.key, row, at)) return;
    event.preventDefault();
  };
  /** @returns whether the key means something here */
  const move = (key: string, row: TreeRow, at: number): boolean => {
    const { node, open, parent } = row;
    switch (key) {
      case 'ArrowDown':
        focus(rows[at + 1]);
        return true;
      case 'ArrowUp':
        focus(rows[at - 1]);
        return true;
      case 'Home':
        focus(rows[0]);
        return true;
      case 'End':
        focus(rows.at(-1));
        return true;
      case 'ArrowRight':
        if (node.children.length === 0) return true;
        if (open) focus(rows[at + 1]);
        else onToggle(node, true);
        return true;
      case 'ArrowLeft':
        if (open) onToggle(node, false);
        else focus(rows.find((each) => each.node.key === parent?.key));
        return true;
      case 'Enter':
      case ' ':
        choose(row);
        return true;
      default:
        return false;
    }
  };
  const choose = ({ node, open }: TreeRow) => {
    setFocused(node.key);
    onSelect(node);
    const isGroup = node.subject.kind === 'polls' || node.subject.kind === 'between';
    if (isGroup || (node.children.length > 0 && !open)) onToggle(node, !open);
  };
  return (
    <div class="tree" role="tree" aria-label={label} ref={element} onScroll={note} onKeyDown={press}>
      {rows.map((row) => (
        <Row
          key={row.node.key}
          row={row}
          isActive={row.node.key === active}
          isSelected={row.node.key === selected}
          onChoose={() => choose(row)}
          onToggle={() => {
            setFocused(row.node.key);
            onToggle(row.node, !row.open);
          }}
        />
      ))}
    </div>
  );
}

function Row({
  row: { node, level, open },
  isActive,
  isSelected,
  onChoose,
  onToggle,
}: {
  readonly row: TreeRow;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
}): JSX.Element {
  const { subject, children } = node;
  const { at, mark, about, title, hex, look } = textsOf(subject);
  const hasMore = children.length > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows.
    <div
      role="treeitem"
      class={`row row-${subject.kind} ${look}`}
      style={`--level:${level}`}
      data-key={node.key}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={hasMore ? open : undefined}
      onClick={onChoose}
    >
      <span
        class="row-caret"
        aria-hidden="true"
        onClick={(event) => {
          if (!hasMore) return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {hasMore ? (open ? '▾' : '▸') : ''}
      </span>
      <span class="row-at numeric">{at && timeText(at)}</span>
      <span class="row-mark">{mark}</span>
      <span class="row-title">
        {about && <span class="reader">{`${about}: `}</span>}
        {title}
      </span>
      {hasMore && !open && <span class="row-count numeric">{countText(subject, children)}</span>}
      {hex !== '' && <code class="row-hex">{hex}</code>}
    </div>
  );
}

interface RowTexts {
  readonly at: string;
  readonly mark: string;
  /** In front of the title, for screen readers. */
  readonly about: string;
  readonly title: string;
  readonly hex: string;
  readonly look: string;
}

function textsOf(subject: Subject): RowTexts {
  switch (subject.kind) {
    case 'sale': {
      const { number, at, amount, currency, result, scenario } = subject.sale;
      const { application, cryptograms } = result;
      const parts = [
        [amount, currency].filter(Boolean).join(' '),
        application,
        cryptograms.join(', '),
        scenario && `as “${scenario.name}”`,
      ];
      const isDifferent = (scenario?.differences?.length ?? 0) > 0;
      const title = [`Sale ${number}`, ...parts.filter(Boolean)].join(' · ');
      return { at, mark: '', about: '', title, hex: '', look: isDifferent ? 'row-bad' : '' };
    }
    case 'polls': {
      const { frames } = subject;
      const count = pollCount(frames);
      const [name = ''] = frames.map(({ text }) => text.split(/[ ={]/, 2).join(' '));
      const title = `${count} ${count === 1 ? 'poll' : 'polls'}, ${name}`;
      return { at: frames.at(-1)?.at ?? '', mark: '', about: '', title, hex: '', look: 'row-dim' };
    }
    case 'between': {
      const { frames } = subject;
      const [first, last] = [frames[0]?.number, frames.at(-1)?.number];
      const title =
        first === last
          ? `Frame ${first}, outside of a sale`
          : `Frames ${first} to ${last}, outside of a sale`;
      return { at: frames.at(-1)?.at ?? '', mark: '', about: '', title, hex: '', look: 'row-dim' };
    }
    case 'frame': {
      const { number, at, direction, kind, text, hex } = subject.frame;
      const mark = direction === 'in' ? 'host →' : '← terminal';
      const look = `${direction === 'in' ? 'row-in' : 'row-out'}${kind === 'control' ? ' row-dim' : ''}`;
      const bad = kind === 'damaged' ? ' row-bad' : '';
      return { at, mark, about: `Frame ${number}`, title: text, hex: spaced(hex), look: `${look}${bad}` };
    }
    case 'apdu': {
      const { number, at, name, sw, meaning, command } = subject.apdu;
      const title = meaning === 'OK' ? name : `${name} — ${meaning}`;
      const look = sw === '' ? 'row-bad' : '';
      return {
        at,
        mark: `card ${sw || '——'}`,
        about: `Exchange ${number}`,
        title,
        hex: spaced(command),
        look,
      };
    }
    case 'step': {
      const { at, topic, what, reason, value = '' } = subject.step.decision;
      return { at, mark: topic, about: 'Kernel', title: `${what} — ${reason}`, hex: spaced(value), look: '' };
    }
  }
}

/** What is folded away. */
function countText(subject: Subject, children: readonly TreeNode[]): string {
  if (subject.kind === 'polls' || subject.kind === 'between') return '';
  const counts = { frame: 0, apdu: 0, step: 0 };
  const count = (nodes: readonly TreeNode[]): void => {
    for (const { subject: each, children: below } of nodes) {
      if (each.kind in counts) counts[each.kind as keyof typeof counts] += 1;
      count(below);
    }
  };
  count(children);
  return [
    counts.frame > 0 && `${counts.frame} frames`,
    counts.apdu > 0 && `${counts.apdu} APDUs`,
    counts.step > 0 && `${counts.step} steps`,
  ]
    .filter(Boolean)
    .join(', ');
}
