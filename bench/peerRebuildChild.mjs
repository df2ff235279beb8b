import { endingOf, factsOf } from '../dist/projections/callFacts.js';
import { answer, given } from './child.mjs';
import { history } from './history.mjs';
import { loadPeer } from './peer.mjs';
import { openPeerStore, peerEvent } from './peerStore.mjs';
import { seedKeys } from './seed.mjs';

const eventsAStream = 200;
const callTable = `
CREATE TABLE IF NOT EXISTS calls (
  call_id TEXT PRIMARY KEY, recorded_at INTEGER, ended_at INTEGER, workspace TEXT, channel TEXT, actor TEXT, door TEXT, on_behalf_of TEXT,
  turn TEXT, tool TEXT, server_id TEXT, server_name TEXT, outcome TEXT, reasons TEXT, duration_ms INTEGER)`;
const starts = ['ToolCallAdmitted', 'ToolCallRefused'];
const endings = ['ToolCallSucceeded', 'ToolCallFailed', 'ToolCallCancelled', 'ToolCallOutcomeUnknown', 'ToolCallOutcomeSettled'];

// Rebuilds the rows of the call log (no text, no search index) with the peer's own consumer and projection, in large
// batches and without its pauses, over the beginning of the history that our ledgers hold.
const { file, seed, size } = given();
const peer = await openPeerStore(file);
const events = await fill(await seedKeys(seed));
await makeTable();
answer(await rebuild());

async function fill(keys) {
  let stored = 0;
  let waiting = [];
  for (const append of history(keys, 'mixed')) {
    for (const event of append.events) {
      const told = peerEvent(event);
      waiting.push({ ...told, data: { ...told.data, callId: append.stream, recordedAt: append.now } });
    }
    if (waiting.length < eventsAStream) continue;
    await peer.append(`history-${stored}`, waiting, 0n);
    stored += waiting.length;
    waiting = [];
    if (stored >= size) break;
  }
  return stored;
}

async function makeTable() {
  const { sqliteConnection } = await loadPeer();
  const connection = sqliteConnection({ fileName: file });
  await connection.command(callTable);
  connection.close();
}

async function rebuild() {
  let seen = 0;
  const consumer = peer.store.consumer({ pulling: { batchSize: 2_000, pullingFrequencyInMs: 0 } });
  consumer.processor({
    processorId: 'calls',
    startFrom: 'BEGINNING',
    stopAfter: () => (seen += 1) >= events,
    projection: { name: 'calls', canHandle: [...starts, ...endings], handle: async ([event], context) => fold(context.connection, event) },
  });
  const began = performance.now();
  await consumer.start();
  const seconds = (performance.now() - began) / 1000;
  await consumer.close();
  return { events, seconds };
}

async function fold(connection, { type, data, metadata }) {
  const event = { type, data, envelope: metadata };
  if (starts.includes(type)) {
    const call = factsOf(event);
    await connection.command('INSERT OR REPLACE INTO calls VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)', [
      data.callId, data.recordedAt, call.workspace, call.channel, call.actor, metadata.door, call.onBehalfOf, metadata.correlation, call.tool,
      call.serverId, call.serverName, call.outcome, JSON.stringify(call.reasons),
    ]);
    return;
  }
  const { outcome, reasons } = endingOf(event);
  await connection.command('UPDATE calls SET ended_at = ?, outcome = ?, reasons = ?, duration_ms = ? WHERE call_id = ?', [
    data.recordedAt, outcome, JSON.stringify(reasons), data.durationMs ?? null, data.callId,
  ]);
}
