import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { connect } from 'node:tls';

/*
 * A till that shares no code with the agent: TLS, HTTP/1.1 and the encryption of messages, written from the published facts
 * (nexo Sale to POI protocol, protected messages).
 */

/** Where the agent is, and what till and agent share. */
interface RawTillOptions {
  readonly url: string;
  readonly ca: string;
  readonly key: { readonly identifier: string; readonly version: number; readonly passphrase: string };
}

/** What came back. */
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** Any part of a message. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at what is there
export type Message = any;

interface Derived {
  readonly hmacKey: Buffer;
  readonly cipherKey: Buffer;
  readonly iv: Buffer;
}

function derive(passphrase: string): Derived {
  const bytes = pbkdf2Sync(passphrase, 'AdyenNexoV1Salt', 4_000, 80, 'sha1');
  return { hmacKey: bytes.subarray(0, 32), cipherKey: bytes.subarray(32, 64), iv: bytes.subarray(64, 80) };
}

function mixed(iv: Buffer, nonce: Buffer): Buffer {
  return Buffer.from(iv.map((byte, index) => byte ^ (nonce[index] ?? 0)));
}

/** A till with a separate line. */
export class RawTill {
  readonly #options: RawTillOptions;
  readonly #derived: Derived;

  constructor(options: RawTillOptions) {
    this.#options = options;
    this.#derived = derive(options.key.passphrase);
  }

  /** Enciphers a message. */
  seal(message: Message): Message {
    const { hmacKey, cipherKey, iv } = this.#derived;
    const { identifier, version } = this.#options.key;
    const clear = Buffer.from(JSON.stringify(message), 'utf8');
    const nonce = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', cipherKey, mixed(iv, nonce));
    return {
      SaleToPOIRequest: {
        MessageHeader: message.SaleToPOIRequest.MessageHeader,
        NexoBlob: Buffer.concat([cipher.update(clear), cipher.final()]).toString('base64'),
        SecurityTrailer: {
          AdyenCryptoVersion: 1,
          KeyIdentifier: identifier,
          KeyVersion: version,
          Nonce: nonce.toString('base64'),
          Hmac: createHmac('sha256', hmacKey).update(clear).digest('base64'),
        },
      },
    };
  }

  /** Opens an enciphered answer. @throws where its HMAC is wrong */
  open(text: string): Message {
    const { hmacKey, cipherKey, iv } = this.#derived;
    const [secured] = Object.values(JSON.parse(text)) as Message[];
    const { Nonce, Hmac } = secured.SecurityTrailer;
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, mixed(iv, Buffer.from(Nonce, 'base64')));
    const clear = Buffer.concat([decipher.update(Buffer.from(secured.NexoBlob, 'base64')), decipher.final()]);
    if (createHmac('sha256', hmacKey).update(clear).digest('base64') !== Hmac) throw new Error('wrong HMAC');
    const [inner] = Object.values(JSON.parse(clear.toString('utf8'))) as Message[];
    if (JSON.stringify(inner.MessageHeader) !== JSON.stringify(secured.MessageHeader))
      throw new Error('the header in clear is another');
    return inner;
  }

  /** Sends an enciphered message and opens the answer; `undefined` for an empty one. */
  async send(message: Message, chunked = false): Promise<Message> {
    const { status, text } = await this.post(JSON.stringify(this.seal(message)), { chunked });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return text === '' ? undefined : this.open(text);
  }

  /** Posts a body over a new TLS connection, without server name. */
  post(body: string, { chunked = false, headers = '' } = {}): Promise<RawAnswer> {
    const { hostname, port, pathname } = new URL(this.#options.url);
    const bytes = Buffer.from(body, 'utf8');
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
    const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers}Content-Type: application/json\r\n${length}\r\nConnection: close\r\n\r\n`;
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      const socket = connect({
        host: hostname,
        port: Number(port),
        ca: this.#options.ca,
        maxVersion: 'TLSv1.2',
      });
      socket.on('secureConnect', () => {
        socket.write(head);
        if (!chunked) socket.write(bytes);
        else for (const part of [bytes.subarray(0, 7), bytes.subarray(7)]) socket.write(chunk(part));
        if (chunked) socket.write('0\r\n\r\n');
      });
      socket.on('data', (piece) => pieces.push(piece));
      socket.on('end', () => resolve(answerOf(Buffer.concat(pieces).toString('utf8'))));
      socket.on('error', reject);
    });
  }
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function answerOf(whole: string): RawAnswer {
  const at = whole.indexOf('\r\n\r\n');
  const head = whole.slice(0, at);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, text: whole.slice(at + 4) };
}

/** A message of a till, its header filled in. */
export function tillMessage(category: string, ServiceID: string, body: object, header: object = {}): Message {
  const MessageHeader = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: category,
    MessageType: 'Request',
    ServiceID,
    SaleID: 'raw-till',
    POIID: '1001',
    ...header,
  };
  return { SaleToPOIRequest: { MessageHeader, [`${category}Request`]: body } };
}

/** A payment in EUR. */
export function rawPayment(ServiceID: string, amount: number, header: object = {}): Message {
  const SaleTransactionID = { TransactionID: `raw-${ServiceID}`, TimeStamp: '2026-11-23T08:00:00.000Z' };
  const AmountsReq = { Currency: 'EUR', RequestedAmount: amount };
  return tillMessage(
    'Payment',
    ServiceID,
    { SaleData: { SaleTransactionID }, PaymentTransaction: { AmountsReq } },
    header,
  );
}
