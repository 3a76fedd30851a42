import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, terminalPath } from '../../api/calls.js';
import type { ApduDetail, FrameDetail, SaleView } from '../../api/types.js';
import { attempt, copy, makeScenario } from '../../model/actions.js';
import { type Place, placeHash } from '../../model/place.js';
import type { StepView, TreeNode } from '../../model/sale-tree.js';
import { Check } from '../parts/check.js';
import { HexDump } from '../parts/hex.js';
import { ObjectTree } from '../parts/object-tree.js';

/** What a detail is of: a node, the way to it, and where it stands. */
interface DetailProps {
  readonly id: string;
  /** From the sale to the node. */
  readonly path: readonly TreeNode[];
  readonly unmasked: boolean;
  readonly onUnmask: (on: boolean) => void;
  readonly onClose: () => void;
}

/** The node that is chosen: its bytes, its data objects, and the ways to what it belongs to and what belongs to it. */
export function EntryDetail({ id, path, unmasked, onUnmask, onClose }: DetailProps): JSX.Element | null {
  const node = path.at(-1);
  const element = useRef<HTMLElement>(null);
  // On a phone it stands below the rows.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [node?.key]);
  if (!node) return null;
  const { subject } = node;
  const canUnmask = subject.kind === 'frame' || subject.kind === 'apdu';
  return (
    <section class="detail" aria-label="Detail" ref={element}>
      <header class="detail-head">
        <Jumps id={id} path={path} />
        <div class="sim-row">
          {canUnmask && <Check label="Show test card data" value={unmasked} onChange={onUnmask} />}
          <Button size="small" kind="quiet" icon="copy" onClick={() => copy(location.href)}>
            Copy link
          </Button>
          <Button size="small" kind="quiet" icon="close" iconOnly onClick={onClose}>
            Close the detail
          </Button>
        </div>
      </header>
      {subject.kind === 'sale' && <SaleDetail key={node.key} id={id} sale={subject.sale} />}
      {subject.kind === 'frame' && <FrameBody id={id} number={subject.frame.number} unmasked={unmasked} />}
      {subject.kind === 'apdu' && <ApduBody id={id} number={subject.apdu.number} unmasked={unmasked} />}
      {subject.kind === 'step' && <StepBody id={id} step={subject.step} saleId={node.saleId} />}
    </section>
  );
}

/** Links from the sale to the node, and to the first of what is below it. */
function Jumps({ id, path }: { readonly id: string; readonly path: readonly TreeNode[] }): JSX.Element {
  const below = firstBelow(path.at(-1));
  return (
    <nav class="jumps" aria-label="Where this belongs">
      {path.map((node, at) => (
        <span key={node.key}>
          {at > 0 && <span aria-hidden="true"> › </span>}
          {at < path.length - 1 && linkOf(node) ? (
            <a href={placeHash(placeOf(id, node))}>{nameOf(node)}</a>
          ) : (
            <strong>{nameOf(node)}</strong>
          )}
        </span>
      ))}
      {below.map((node) => (
        <a key={node.key} class="jump-below" href={placeHash(placeOf(id, node))}>
          {`${nameOf(node)} ↓`}
        </a>
      ))}
    </nav>
  );
}

/** The first frame, exchange and decision below a node. */
function firstBelow(node: TreeNode | undefined): readonly TreeNode[] {
  const found = new Map<string, TreeNode>();
  const look = (nodes: readonly TreeNode[]): void => {
    for (const each of nodes) {
      const { kind } = each.subject;
      if (linkOf(each) && !found.has(kind)) found.set(kind, each);
      look(each.children);
    }
  };
  look(node?.children ?? []);
  return [...found.values()];
}

function linkOf({ subject }: TreeNode): boolean {
  return subject.kind !== 'polls' && subject.kind !== 'between';
}

/** The place of a node. */
export function placeOf(id: string, { key, subject, saleId }: TreeNode): Place {
  const { kind } = subject;
  const isEntry = kind === 'frame' || kind === 'apdu' || kind === 'step';
  return {
    ...{ terminal: id, view: 'wire' },
    ...(saleId !== undefined && { sale: saleId }),
    ...(isEntry && { entry: { kind, number: key.slice(kind.length + 1) } }),
  };
}

function nameOf({ subject }: TreeNode): string {
  switch (subject.kind) {
    case 'sale':
      return `Sale ${subject.sale.number}`;
    case 'polls':
      return 'Polls';
    case 'between':
      return 'Outside of a sale';
    case 'frame':
      return `Frame ${subject.frame.number}`;
    case 'apdu':
      return `APDU ${subject.apdu.number}`;
    case 'step':
      return `Kernel ${subject.step.number}`;
  }
}

/** Reads something of the simulator, and shows it. */
function Read<T>({
  path,
  children,
}: {
  readonly path: string;
  readonly children: (read: T) => ComponentChildren;
}): JSX.Element {
  const [read, setRead] = useState<{ readonly path: string; readonly value: T }>();
  useEffect(() => {
    void attempt(async () => setRead({ path, value: await call<T>('GET', path) }));
  }, [path]);
  return <div class="detail-body">{read?.path === path ? children(read.value) : 'Reading…'}</div>;
}

function FrameBody({ id, number, unmasked }: EntryBodyProps): JSX.Element {
  return (
    <Read<FrameDetail> path={`${terminalPath(id, `frames/${number}`)}?unmasked=${unmasked}`}>
      {({ hex, length, text, objects }) => (
        <>
          <p class="detail-text">{`${length} bytes. ${text}`}</p>
          <Bytes label="Copy bytes" hex={hex} />
          <ObjectTree label="Data objects" nodes={objects} />
        </>
      )}
    </Read>
  );
}

interface EntryBodyProps {
  readonly id: string;
  readonly number: number;
  readonly unmasked: boolean;
}

function ApduBody({ id, number, unmasked }: EntryBodyProps): JSX.Element {
  return (
    <Read<ApduDetail> path={`${terminalPath(id, `apdus/${number}`)}?unmasked=${unmasked}`}>
      {({ cardName, name, command, sent, response, sw, meaning, received }) => (
        <>
          <p class="detail-text">{`${cardName}: ${name}. Answer ${sw || 'none'} ${meaning}`}</p>
          <Bytes label="Copy command" hex={command} />
          <ObjectTree label="Sent, by the list of the card" nodes={sent} />
          {sw !== '' && <Bytes label="Copy answer" hex={`${response}${sw}`} />}
          <ObjectTree label="Received" nodes={received} />
        </>
      )}
    </Read>
  );
}

function Bytes({ label, hex }: { readonly label: string; readonly hex: string }): JSX.Element {
  return (
    <div class="bytes">
      <HexDump hex={hex} />
      <Button size="small" icon="copy" onClick={() => copy(hex)}>
        {label}
      </Button>
    </div>
  );
}

function StepBody({
  id,
  step,
  saleId,
}: {
  readonly id: string;
  readonly step: StepView;
  readonly saleId: string | undefined;
}): JSX.Element {
  const { topic, what, reason, value } = step.decision;
  const place: Place = { terminal: id, view: 'kernel', ...(saleId !== undefined && { sale: saleId }) };
  return (
    <div class="detail-body">
      <p>
        <Badge tone="neutral">{topic}</Badge> <strong>{what}</strong>
      </p>
      <p class="detail-text">{reason}</p>
      {value !== undefined && <Bytes label="Copy cryptogram" hex={value} />}
      <p>
        <a href={placeHash(place)}>TVR, TSI and CVM results bit by bit</a>
      </p>
    </div>
  );
}

function SaleDetail({ id, sale }: { readonly id: string; readonly sale: SaleView }): JSX.Element {
  const { result, cardholder, scenario, endedAt } = sale;
  const [name, setName] = useState(`sale-${sale.id}`);
  const isName = /^[0-9A-Za-z][0-9A-Za-z _.-]{0,59}$/.test(name);
  return (
    <div class="detail-body">
      {scenario && <ScenarioResult scenario={scenario} />}
      <Facts
        rows={[
          ['Amount', [sale.amount ?? 'none', sale.currency ?? ''].join(' ')],
          ['Cardholder', cardholder.map(actText).join(', ') || 'nothing yet'],
          ['Application', result.application ?? 'none'],
          ['Cryptograms', result.cryptograms.join(', ') || 'none'],
          ['Cardholder verification', result.cvm.join(', ') || 'none'],
          ['Issuer', result.issuer.join(', ') || 'none'],
        ]}
      />
      <p>
        <a href={placeHash({ terminal: id, view: 'kernel', sale: sale.id })}>
          TVR, TSI and CVM results bit by bit
        </a>
      </p>
      <Form label="Make a test of this" onSubmit={() => isName && makeScenario(id, sale.number, name)}>
        <div class="make-test">
          <Field label="Name of the test" value={name} onInput={setName} maxLength={60} />
          <Button type="submit" size="small" icon="download" disabled={!isName || endedAt === undefined}>
            Make a test of this
          </Button>
        </div>
      </Form>
    </div>
  );
}

function ScenarioResult({ scenario }: { readonly scenario: NonNullable<SaleView['scenario']> }): JSX.Element {
  const { name, differences } = scenario;
  if (!differences) return <p role="status">{`Runs as “${name}”.`}</p>;
  return (
    <div role="status">
      <p>
        {differences.length === 0 ? (
          <Badge tone="good">{`The same as “${name}”`}</Badge>
        ) : (
          <Badge tone="bad">{`Other than “${name}”`}</Badge>
        )}
      </p>
      <ul class="detail-text">
        {differences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function actText(act: SaleView['cardholder'][number]): string {
  switch (act.act) {
    case 'present':
      return `${act.how} ${act.card}${act.second ? ' with a second card' : ''}`;
    case 'pin':
      return { right: 'the PIN', wrong: 'a wrong PIN', bypass: 'PIN skipped', cancel: 'PIN cancelled' }[
        act.pin
      ];
    case 'cancel':
      return 'cancel key';
    case 'remove':
      return 'card out';
  }
}
