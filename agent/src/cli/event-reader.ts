/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

/** Longest event that is read; a longer one is no event of an agent. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

/**
 * Reads server-sent events out of pieces of text (WHATWG HTML §9.2.6), as far as the agent's stream uses them.
 * @throws RangeError when an event does not end
 */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = readEvent(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (event) yield event;
    }
    if (rest.length > MAX_EVENT_CHARACTERS) {
      throw new RangeError(`an event of more than ${MAX_EVENT_CHARACTERS} characters`);
    }
  }
}

function readEvent(block: string): ServerEvent | undefined {
  let id: string | undefined;
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    else if (field === 'event') type = value ?? type;
    else if (field === 'data') data.push(value ?? '');
  }
  return data.length > 0 ? { id, type, data: data.join('\n') } : undefined;
}
