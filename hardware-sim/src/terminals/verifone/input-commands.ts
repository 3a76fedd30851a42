import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { INPUT_TEMPLATES, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { DeviceContext, Handler, HandlerInput } from './device-context.js';
import { StatusError } from './status-error.js';

const INPUT_FORMAT = /^\[(N*)(n*)\]$/;
const TEMPLATES = Object.values(INPUT_TEMPLATES);
/** The published examples end an input with it. */
const END = '\0';

/** HANDLE MENU: the options of a menu, chosen by their number. */
export const menu: Handler = async (ctx, input) => {
  const entries = input.objects.filter(({ tag }) => tag === TAGS.menuEntry).map(textOf);
  if (entries.length === 0) throw new StatusError('tagError');
  const title = input.objects.filter(({ tag }) => tag === TAGS.menuText).map(textOf);
  ctx.ui.show([...title, ...entries.map((entry, at) => `${at + 1} ${entry}`)]);
  const text = await entered(ctx, input, (value) => Number(value) >= 1 && Number(value) <= entries.length);
  return { objects: [tlv(TAGS.menuIndex, Buffer.of(Number(text)))] };
};

/** HANDLE SECURE INPUT: digits by a text that the device holds. */
export const secureInput: Handler = async (ctx, input) => {
  const id = findTlv(input.objects, TAGS.inputTemplate)?.[0];
  const template = TEMPLATES.find((each) => each.id === id);
  if (!template) throw new StatusError('parameter');
  const written = Buffer.from(findTlv(input.objects, TAGS.inputFormat) ?? []).toString('latin1');
  const [, must, may] = INPUT_FORMAT.exec(written) ?? [];
  if (must === undefined || may === undefined) throw new StatusError('parameter');
  ctx.ui.show([template.name]);
  const fits = ({ length }: string) => length >= must.length && length <= must.length + may.length;
  const text = await entered(ctx, input, fits);
  const data = [
    tlv(TAGS.inputName, Buffer.from(template.name, 'latin1')),
    tlv(TAGS.inputValue, Buffer.from(text + END, 'utf8')),
  ];
  return { objects: [tlv(TAGS.inputData, data)] };
};

/** A dialog of HANDLE DISPLAY that waits for ENTER. */
export async function confirmed(ctx: DeviceContext, input: HandlerInput): Promise<void> {
  await entered(ctx, input, () => true);
}

/** PRINT HTML: the texts between its tags, a line each. */
export const printHtml: Handler = ({ ui }, { objects }) => {
  const html = findTlv(objects, TAGS.printData);
  if (!html) throw new StatusError('tagError');
  const lines =
    Buffer.from(html)
      .toString('utf8')
      .match(/(?<=<div>).*?(?=<\/div>)/g) ?? [];
  ui.print(lines);
  return {};
};

/** The device goes on asking while what was entered does not fit. @throws StatusError; WaitAborted */
async function entered(
  { ui }: DeviceContext,
  { objects, signal }: HandlerInput,
  fits: (text: string) => boolean,
): Promise<string> {
  const time = findTlv(objects, TAGS.timeoutSeconds);
  const seconds = Number.parseInt(Buffer.from(time ?? []).toString('hex') || '0', 16);
  for (;;) {
    const input = await ui.waitForInput(seconds === 0 ? undefined : seconds * 1_000, signal);
    if (input === 'timeout') throw new StatusError('timeout');
    if (input.kind === 'cancel') throw new StatusError('cancelledByUser');
    if (!fits(input.text)) continue;
    ui.clear();
    ui.setState('idle');
    return input.text;
  }
}

function textOf(node: TlvNode): string {
  return 'value' in node ? Buffer.from(node.value).toString('utf8') : '';
}
