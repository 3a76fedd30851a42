import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteConnection, type SqliteOptions } from './connection.js';

let folder: string;
let file: string;
const connections: SqliteConnection[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  file = join(folder, 'file.db');
});
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
  rmSync(folder, { recursive: true });
});

async function open(options: SqliteOptions = {}): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open(file, options);
  connections.push(connection);
  return connection;
}

/** A connection of another program: no WAL, no waiting. */
function otherProgram(): { exec(sql: string): Promise<void>; close(): Promise<void> } {
  const database = new sqlite3.Database(file);
  return {
    exec: promisify(database.exec.bind(database)),
    close: promisify(database.close.bind(database)),
  };
}

describe('a connection', () => {
  it('flushes every commit, checks references, and overwrites where that is requested', async () => {
    const connection = await open({ secureDelete: true });
    const pragma = async (name: string) => Object.values((await connection.get(`PRAGMA ${name}`)) ?? {})[0];
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('secure_delete')).toBe(1);
  });

  it('keeps nothing of a transaction that fails', async () => {
    const connection = await open();
    await connection.exec('CREATE TABLE t (a INTEGER)');
    const failing = connection.transaction(async () => {
      await connection.run('INSERT INTO t VALUES (?)', 1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await connection.transaction(() => connection.all('SELECT a FROM t'))).toEqual([]);
  });

  it('refuses requests after its end, and ends once', async () => {
    const connection = await open();
    await connection.all('SELECT 1');
    await Promise.all([connection.close(), connection.close()]);
    await expect(connection.all('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
    await expect(connection.exec('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
  });

  it('waits for another process that is just making the file', async () => {
    const other = otherProgram();
    await other.exec('CREATE TABLE made (id INTEGER); BEGIN IMMEDIATE; INSERT INTO made VALUES (1)');
    const opening = open();
    // Enough turns for the one that opens to have met the lock.
    for (let turn = 0; turn < 100; turn += 1) await other.exec('SELECT 1');
    await other.exec('COMMIT');
    expect(await (await opening).all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await other.close();
  });
});

describe('a fault', () => {
  it('is a full disk beyond the quota, and over when there is room', async () => {
    const connection = await open({ maxBytes: 40_000 });
    await connection.exec('CREATE TABLE t (a BLOB)');
    const insert = (bytes: number) => connection.run('INSERT INTO t VALUES (zeroblob(?))', bytes);
    await expect(insert(50_000)).rejects.toMatchObject({ code: 'disk-full' });
    await insert(1_000);
  });

  it('is a lock that another process keeps', async () => {
    const other = otherProgram();
    await other.exec('CREATE TABLE t (a INTEGER); BEGIN IMMEDIATE');
    await expect(open({ busyTimeoutMs: 0 })).rejects.toMatchObject({ code: 'locked' });
    await other.close();
  });

  it('is a file of something else, which stays as it is', async () => {
    const text = 'this is not a database, it is a long enough text to be a page header'.repeat(20);
    writeFileSync(file, text);
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('is a write to what was opened to be read', async () => {
    await (await open()).exec('CREATE TABLE t (a INTEGER)');
    const reader = await open({ access: 'read-only' });
    await expect(reader.run('INSERT INTO t VALUES (1)')).rejects.toMatchObject({ code: 'read-only' });
  });

  it('is a file that is not there, and the error that the program makes of it', async () => {
    const asError = (fault: string, detail: string) => new TypeError(`${fault}: ${detail}`);
    file = join(folder, 'nowhere', 'file.db');
    await expect(open({ asError })).rejects.toThrow(TypeError);
    await expect(open({ asError, access: 'read-only' })).rejects.toThrow(/^cannot-open: /);
  });
});
