import { TraceError } from '@tillbridge/wire/terminals/trace/trace.js';
import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { lineReadingOf } from '../inspection/read-recording.js';
import { MAX_UPLOAD_BYTES, type RecordedTerminal, type Recordings } from '../recordings/recordings.js';
import { replayPlan } from '../replay/replay-plan.js';
import type { SimulatedTerminal } from '../simulator/simulated-terminal.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { terminalView } from '../simulator/terminal-view.js';
import { type ById, terminalFinder } from './find-terminal.js';

interface ByName {
  readonly Params: { readonly name: string };
}

const REPLAY_BODY = {
  type: 'object',
  required: ['recording'],
  additionalProperties: false,
  properties: {
    recording: { type: 'string', maxLength: 100 },
    speed: { type: 'integer', minimum: 0, maximum: 1_000, default: 1 },
  },
} as const;

/** Media type of a recording: a line of JSON for each piece. */
const RECORDING_TYPE = 'application/x-ndjson';

/** Recordings: begin, end, keep what was seen, download, take from outside, and play in place of a terminal. */
export function recordingRoutes(
  app: FastifyInstance,
  { terminals, events }: SimulatedTerminals,
  recordings: Recordings,
): void {
  const find = terminalFinder(terminals);
  const changed = (): void => events.tell('changed', { list: 'recordings' });
  app.addContentTypeParser(
    RECORDING_TYPE,
    { parseAs: 'string', bodyLimit: MAX_UPLOAD_BYTES },
    (_request, text, done) => done(null, text),
  );
  recorderRoutes(app, recordings, find, changed);
  libraryRoutes(app, recordings, changed);
  replayRoutes(app, recordings, find);
}

type FindTerminal = ReturnType<typeof terminalFinder>;

/** Records the line of a terminal. */
function recorderRoutes(
  app: FastifyInstance,
  recordings: Recordings,
  find: FindTerminal,
  changed: () => void,
): void {
  app.post<ById>('/terminals/:id/recording', ({ params }) => {
    const terminal = find(params.id);
    const { name, recorder } = recordings.begin(recordedOf(terminal), () => terminal.line.stopRecording());
    terminal.line.record(name, recorder);
    changed();
    return terminalView(terminal);
  });
  app.delete<ById>('/terminals/:id/recording', ({ params }) => {
    const terminal = find(params.id);
    const name = terminal.line.stopRecording();
    if (name === undefined) throw new ControlError('not-now', 'nothing is being recorded');
    changed();
    return recordings.view(name);
  });
  app.post<ById>('/terminals/:id/recordings', ({ params }) => {
    const terminal = find(params.id);
    if (terminal.wire.frames.last === 0)
      throw new ControlError('not-now', 'nothing has passed over its line yet');
    const kept = recordings.keep(recordedOf(terminal), terminal.wire);
    changed();
    return kept;
  });
}

/** The stored recordings. */
function libraryRoutes(app: FastifyInstance, recordings: Recordings, changed: () => void): void {
  app.get('/recordings', () => recordings.list);
  app.post<{ Body: string }>('/recordings', { bodyLimit: MAX_UPLOAD_BYTES }, ({ body }) => {
    if (typeof body !== 'string')
      throw new ControlError('bad-request', `send the recording as ${RECORDING_TYPE}`);
    const taken = readable(() => recordings.take(body));
    changed();
    return taken;
  });
  app.get<ByName>('/recordings/:name', ({ params: { name } }, reply) => {
    const text = recordings.text(name);
    return reply
      .type(RECORDING_TYPE)
      .header('content-disposition', `attachment; filename="${name}"`)
      .serializer((sent: unknown) => sent as string)
      .send(text);
  });
  app.get<ByName>('/recordings/:name/frames', ({ params: { name } }) =>
    readable(() => lineReadingOf(recordings.trace(name))),
  );
  app.delete<ByName>('/recordings/:name', ({ params: { name } }) => {
    recordings.remove(name);
    changed();
    return { name };
  });
}

/** Plays a recording in place of a terminal. */
function replayRoutes(app: FastifyInstance, recordings: Recordings, find: FindTerminal): void {
  app.post<ById & { Body: { recording: string; speed: number } }>(
    '/terminals/:id/replay',
    { schema: { body: REPLAY_BODY } },
    async ({ params, body: { recording, speed } }) => {
      const terminal = find(params.id);
      const { header, events: recorded } = readable(() => recordings.trace(recording));
      const { deviceType, transport } = recordedOf(terminal);
      if (header.deviceType !== deviceType || header.transport !== transport)
        throw new ControlError(
          'other-terminal',
          `it is of a ${header.deviceType} over ${header.transport}, the terminal a ${deviceType} over ${transport}`,
        );
      if (terminal.line.isReplaying) throw new ControlError('not-now', 'a recording plays already');
      await terminal.line.play(
        recording,
        replayPlan(recorded),
        speed === 0 ? Number.POSITIVE_INFINITY : speed,
      );
      return terminalView(terminal);
    },
  );
  app.delete<ById>('/terminals/:id/replay', async ({ params }) => {
    const terminal = find(params.id);
    await terminal.line.stopReplay();
    return terminalView(terminal);
  });
}

function recordedOf({ device, port }: SimulatedTerminal): RecordedTerminal {
  return { id: device.id, deviceType: device.deviceType, transport: port.transport };
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TraceError) throw new ControlError('bad-request', `no recording: ${error.message}`);
    throw error;
  }
}
