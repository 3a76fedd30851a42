import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, terminalPath } from '../api/calls.js';
import type { ApduDetail, ApduView } from '../api/types.js';
import { panel } from '../model/model.js';
import { Check } from './check.js';
import { HexDump, spaced } from './hex.js';
import { Log, LogRow } from './log.js';
import { ObjectTree } from './object-tree.js';

/** What terminal and card send to each other: commands with their names, answers as trees. */
export function ApduLog({ id }: { readonly id: string }): JSX.Element {
  const apdus = useChosen(panel, (now) => now.apdus);
  const [unmasked, setUnmasked] = useState(false);
  if (apdus.length === 0) return <Empty>No chip has been read yet.</Empty>;
  return (
    <>
      <div class="log-tools">
        <Check label="Show test card data" value={unmasked} onChange={setUnmasked} />
      </div>
      <Log label="Exchanges with cards" rows={apdus}>
        {apdus.map((apdu) => (
          <ApduRow key={apdu.number} id={id} apdu={apdu} unmasked={unmasked} />
        ))}
      </Log>
    </>
  );
}

function ApduRow({
  id,
  apdu,
  unmasked,
}: {
  readonly id: string;
  readonly apdu: ApduView;
  readonly unmasked: boolean;
}): JSX.Element {
  const { number, at, name, cardName, sw, meaning, command } = apdu;
  return (
    <LogRow<ApduDetail>
      at={at}
      mark={<span class={sw === '9000' ? 'log-out' : 'log-in'}>{sw || '——'}</span>}
      title={meaning === 'OK' ? name : `${name} — ${meaning}`}
      hex={spaced(command)}
      about={`Exchange ${number}`}
      bad={sw === ''}
      version={String(unmasked)}
      read={() => call('GET', `${terminalPath(id, `apdus/${number}`)}?unmasked=${unmasked}`)}
      detail={(detail) => (
        <>
          <p class="log-text">{`${cardName}: ${name}. Answer ${sw || 'none'} ${meaning}`}</p>
          <HexDump hex={detail.command} />
          <ObjectTree label="Sent, by the list of the card" nodes={detail.sent} />
          {detail.response !== '' && <HexDump hex={detail.response} />}
          <ObjectTree label="Received" nodes={detail.received} />
        </>
      )}
    />
  );
}
