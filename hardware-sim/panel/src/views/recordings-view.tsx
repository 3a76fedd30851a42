import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import { timeText } from '@tillbridge/panel-kit/format.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/calls.js';
import type { FrameView, RecordingView, TerminalView } from '../api/types.js';
import { attempt, copy, playRecording, remove, stopReplay, takeRecordings } from '../model/actions.js';
import { panel } from '../model/model.js';
import { spaced } from './parts/hex.js';
import './recordings-view.css';

/** Recordings: downloaded, dropped here, looked at, and played in place of the terminal. */
export function RecordingsView({ id }: { readonly id: string }): JSX.Element {
  const recordings = useChosen(panel, (now) => now.recordings);
  const terminal = useChosen(panel, (now) => now.terminals.find((each) => each.id === id));
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <DropZone />
      <ReplayState terminal={terminal} />
      {recordings.length === 0 ? (
        <Empty>There is no recording yet.</Empty>
      ) : (
        <List label="Recordings">
          {recordings.map((recording) => (
            <RecordingRow
              key={recording.name}
              recording={recording}
              terminal={terminal}
              onOpen={() => setOpened(recording.name)}
            />
          ))}
        </List>
      )}
      {opened !== undefined && <RecordedFrames name={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function DropZone(): JSX.Element {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeRecordings([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <label
      class={`drop${over ? ' drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        class="reader"
        accept=".jsonl"
        multiple
        onChange={({ currentTarget }) => {
          void takeRecordings([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      Drop recordings here, or choose files
    </label>
  );
}

function ReplayState({ terminal }: { readonly terminal: TerminalView | undefined }): JSX.Element | null {
  const { id = '', replay } = terminal ?? {};
  if (!replay) return null;
  const { recording, done, of, result } = replay;
  const how = result
    ? `${result.complete ? 'complete' : 'the host stopped'}: ${result.hostSteps} messages of the host, ${result.different} other than recorded`
    : `step ${done} of ${of}`;
  return (
    <p class="sim-row" role="status">
      <strong>{recording}</strong> {how}
      {!result && (
        <Button size="small" icon="stop" onClick={() => stopReplay(id)}>
          Put the terminal back
        </Button>
      )}
    </p>
  );
}

function RecordingRow({
  recording,
  terminal,
  onOpen,
}: {
  readonly recording: RecordingView;
  readonly terminal: TerminalView | undefined;
  readonly onOpen: () => void;
}): JSX.Element {
  const { name, deviceType, transport, startedAt, bytes, command } = recording;
  const fits = terminal?.deviceType === deviceType && terminal.transport === transport;
  return (
    <ListItem
      main={<strong>{name}</strong>}
      second={`${deviceType} over ${transport}, ${timeText(startedAt)}, ${Math.ceil(bytes / 1024)} KiB`}
      end={
        <div class="sim-row">
          <Button size="small" label={`Look into ${name}`} onClick={onOpen}>
            Look into
          </Button>
          <a
            class="button button-plain button-small"
            href={`/recordings/${encodeURIComponent(name)}`}
            download={name}
          >
            Download
          </a>
          <Button size="small" icon="copy" label={`Copy command, ${name}`} onClick={() => copy(command)}>
            Copy command
          </Button>
          <Button
            size="small"
            icon="play"
            disabled={!fits}
            label={`Play ${name}`}
            onClick={() => terminal && playRecording(terminal.id, name)}
          >
            Play
          </Button>
          <Button
            size="small"
            kind="quiet"
            label={`Remove ${name}`}
            onClick={() => remove('recordings', name)}
          >
            Remove
          </Button>
        </div>
      }
    />
  );
}

function RecordedFrames({
  name,
  onClose,
}: {
  readonly name: string;
  readonly onClose: () => void;
}): JSX.Element {
  const [frames, setFrames] = useState<readonly FrameView[]>();
  useEffect(() => {
    void attempt(async () => setFrames(await call('GET', `/recordings/${encodeURIComponent(name)}/frames`)));
  }, [name]);
  return (
    <Dialog title={name} wide onClose={onClose}>
      {frames === undefined ? (
        <Empty>Reading…</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section class="recorded" tabIndex={0} aria-label="Frames of the recording">
          <ol>
            {frames.map(({ number, direction, text, hex }) => (
              <li key={number}>
                <span class={direction === 'in' ? 'from-host' : 'from-terminal'}>
                  {direction === 'in' ? 'host →' : '← terminal'}
                </span>
                <span>{text}</span>
                <code>{spaced(hex)}</code>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Dialog>
  );
}
