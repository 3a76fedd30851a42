import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, terminalPath } from '../api/calls.js';
import type { FrameDetail, FrameView } from '../api/types.js';
import { copyReplayCommand, record } from '../model/actions.js';
import { panel } from '../model/model.js';
import { Check } from './check.js';
import { HexDump, spaced } from './hex.js';
import { Log, LogRow } from './log.js';
import { ObjectTree } from './object-tree.js';

/** The frames on a terminal's line, as its codec decodes them, with their bytes. */
export function WireView({ id }: { readonly id: string }): JSX.Element {
  const live = useChosen(panel, (now) => now.frames);
  const recording = useChosen(
    panel,
    (now) => now.terminals.find((terminal) => terminal.id === id)?.recording,
  );
  const [held, setHeld] = useState<readonly FrameView[]>();
  const [controls, setControls] = useState(true);
  const [unmasked, setUnmasked] = useState(false);
  const frames = (held ?? live).filter(({ kind }) => controls || kind !== 'control');
  return (
    <>
      <div class="log-tools">
        <Button
          size="small"
          icon={recording === undefined ? 'play' : 'stop'}
          onClick={() => record(id, recording === undefined)}
        >
          {recording === undefined ? 'Record' : 'Stop the recording'}
        </Button>
        <Button size="small" icon="copy" disabled={live.length === 0} onClick={() => copyReplayCommand(id)}>
          Copy replay command
        </Button>
        <Check
          label="Hold still"
          value={held !== undefined}
          onChange={(on) => setHeld(on ? live : undefined)}
        />
        <Check label="Confirmations" value={controls} onChange={setControls} />
        <Check label="Show test card data" value={unmasked} onChange={setUnmasked} />
      </div>
      {frames.length === 0 ? (
        <Empty>Nothing has passed over this line yet.</Empty>
      ) : (
        <Log label="Frames" rows={frames}>
          {frames.map((frame) => (
            <FrameRow key={frame.number} id={id} frame={frame} unmasked={unmasked} />
          ))}
        </Log>
      )}
    </>
  );
}

/** A frame: direction, meaning, bytes. */
function FrameRow({
  id,
  frame,
  unmasked,
}: {
  readonly id: string;
  readonly frame: FrameView;
  readonly unmasked: boolean;
}): JSX.Element {
  const { number, at, direction, kind, text, hex, length } = frame;
  const isIn = direction === 'in';
  return (
    <LogRow<FrameDetail>
      at={at}
      mark={<span class={isIn ? 'log-in' : 'log-out'}>{isIn ? 'host →' : '← device'}</span>}
      title={text}
      hex={spaced(hex)}
      about={`Frame ${number}`}
      dim={kind === 'control'}
      bad={kind === 'damaged'}
      version={String(unmasked)}
      read={() => call('GET', `${terminalPath(id, `frames/${number}`)}?unmasked=${unmasked}`)}
      detail={(detail) => (
        <>
          <p class="log-text">{`${length} bytes. ${detail.text}`}</p>
          <HexDump hex={detail.hex} />
          <ObjectTree label="Data objects" nodes={detail.objects} />
        </>
      )}
    />
  );
}
