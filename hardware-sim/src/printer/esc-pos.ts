/** A printed line. */
interface PaperLine {
  readonly text: string;
  readonly bold: boolean;
}

/** One receipt: what stands between two cuts. */
export type Receipt = readonly PaperLine[];

/** Most lines of a receipt and characters of a line: paper has an end. */
export const MAX_RECEIPT_LINES = 500;
export const MAX_LINE_CHARACTERS = 200;

const [LF, ESC, FS, GS] = [0x0a, 0x1b, 0x1c, 0x1d];
/** Bytes behind the commands that have any, by their two bytes; all others have none. */
const ARGUMENTS: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [ESC]: { ' ': 1, '!': 1, '-': 1, '3': 1, E: 1, G: 1, J: 1, M: 1, R: 1, a: 1, d: 1, t: 1, '{': 1, p: 3 },
  [FS]: { '!': 1 },
  [GS]: { '!': 1, B: 1, H: 1, L: 2, W: 2, b: 1, f: 1, h: 1, w: 1 },
};
/** Cuts that feed first have one byte more. */
const FEEDING_CUTS: ReadonlySet<number> = new Set([65, 66, 97, 98, 103, 104]);
const PLAIN_CUT_BYTES = 1;
const FEEDING_CUT_BYTES = 2;
const RASTER_HEAD_BYTES = 6;

/** Upper halves of code pages by the number that printers give them. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';
const CP858 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ';
const PAGES: Readonly<Record<number, string>> = { 0: CP437, 2: CP858, 19: CP858 };
const WINDOWS_1252 = 16;

/** Reads what a till sends to a receipt printer: text, bold and cuts; pictures and bar codes are passed over. */
export function readEscPos(bytes: Uint8Array): Receipt[] {
  return new Paper(bytes).print();
}

class Paper {
  readonly #bytes: Buffer;
  readonly #receipts: Receipt[] = [];
  #lines: PaperLine[] = [];
  #text = '';
  #bold = false;
  #page = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  print(): Receipt[] {
    for (let at = 0; at < this.#bytes.length; ) at += this.#take(at);
    this.#cut();
    return this.#receipts;
  }

  /** Carries out what stands there. @returns how many bytes that was */
  #take(at: number): number {
    const byte = this.#bytes[at] ?? 0;
    if (byte === ESC || byte === FS || byte === GS) return this.#command(at, byte);
    if (byte === LF) this.#feed();
    else if (byte >= 0x20 && this.#text.length < MAX_LINE_CHARACTERS) this.#text += this.#character(byte);
    return 1;
  }

  #command(at: number, first: number): number {
    const second = this.#bytes[at + 1] ?? 0;
    const name = String.fromCharCode(second);
    const argument = this.#bytes[at + 2] ?? 0;
    if (first === GS && name === 'V') {
      this.#cut();
      return 2 + (FEEDING_CUTS.has(argument) ? FEEDING_CUT_BYTES : PLAIN_CUT_BYTES);
    }
    if (first === GS && name === '(') return this.#bytesAfter(at + 3, 5, 1);
    if (first === GS && name === 'v') return this.#rasterBytes(at);
    if (first === ESC && name === '@') {
      this.#bold = false;
      this.#page = 0;
    } else if (first === ESC && (name === 'E' || name === 'G')) this.#bold = (argument & 1) === 1;
    else if (first === ESC && name === 't') this.#page = argument;
    else if (first === ESC && name === 'd') for (let line = 0; line < argument; line += 1) this.#feed();
    return 2 + (ARGUMENTS[first]?.[name] ?? 0);
  }

  #bytesAfter(lengthAt: number, headBytes: number, times: number): number {
    const [low = 0, high = 0] = this.#bytes.subarray(lengthAt, lengthAt + 2);
    return headBytes + (low + 256 * high) * times;
  }

  /** GS v 0: width in bytes and height in lines. */
  #rasterBytes(at: number): number {
    const [low = 0, high = 0] = this.#bytes.subarray(at + 4, at + 6);
    return this.#bytesAfter(at + 6, RASTER_HEAD_BYTES + 2, low + 256 * high);
  }

  #character(byte: number): string {
    if (byte < 0x80) return String.fromCharCode(byte);
    if (this.#page === WINDOWS_1252) return new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
    return PAGES[this.#page]?.[byte - 0x80] ?? '?';
  }

  #feed(): void {
    if (this.#lines.length < MAX_RECEIPT_LINES)
      this.#lines.push({ text: this.#text.trimEnd(), bold: this.#bold && this.#text !== '' });
    this.#text = '';
  }

  /** What was printed since the last cut, without the blank lines at its end. */
  #cut(): void {
    if (this.#text !== '') this.#feed();
    const last = this.#lines.findLastIndex(({ text }) => text !== '');
    if (last >= 0) this.#receipts.push(this.#lines.slice(0, last + 1));
    this.#lines = [];
  }
}
