import { randomBytes } from 'node:crypto';
import { openSealing } from '../dist/app/owner/sealing.js';
import { dataFiles } from '../dist/app/dataFiles.js';
import { makeCommandHandler } from '../dist/commands/handler/ledgerCommandHandler.js';
import { sealBox } from '../dist/events/box.js';
import { catalogue } from '../dist/events/catalogue/catalogue.js';
import { openSqliteStore } from '../dist/events/sqlite/openSqliteStore.js';
import { systemClock } from '../dist/platform/time/clock.js';
import { newId } from '../dist/platform/ids.js';
import { openVault } from '../dist/platform/vault/vault.js';
import { median, row, timed } from './measure.mjs';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';

const callers = 64;
const sealEvery = 1_000;
const rounds = 20;
const boxed = 400;

/** What personal values and sealing add to durable appends: both as a share of the appends themselves. */
export async function measure({ directory, note }) {
  note('boxes and sealing');
  const files = dataFiles(directory('sealing'));
  const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: null, clock: systemClock });
  const store = await openSqliteStore({ file: files.ledger, clock: systemClock });
  const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 100, soleWriter: true });
  const actor = await vault.subjectFor({ kind: 'operator', id: 'local' });
  const origin = { actor, door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };
  const sealing = openSealing({ files, config: { checkpointLog: null, sealWitnesses: [] }, log: { warn: () => undefined } }, { store, handler, vault });

  const appends = [];
  const seals = [];
  for (let round = 0; round < rounds; round += 1) {
    appends.push(await timed(() => appendMany(store)));
    seals.push(await timed(() => sealing.sealer.seal(origin)));
  }

  const key = randomBytes(32);
  const values = { arguments: { message: 'words that somebody wrote, about as many as people write to a tool in one go' } };
  const plain = [];
  const withBox = [];
  for (let round = 0; round < boxed; round += 1) {
    plain.push(await timed(() => store.append(sampleStream(), 'noStream', [sampleEvent()])));
    withBox.push(
      await timed(() => {
        const event = sampleEvent();
        const stream = sampleStream();
        const box = sealBox(key, { stream, eventId: event.id, subject: actor }, values);
        return store.append(stream, 'noStream', [{ ...event, boxes: JSON.stringify([[actor, box]]) }]);
      }),
    );
  }
  await sealing.close();
  await store.close();
  vault.close();
  const details = { appendsMs: median(appends), sealMs: median(seals), events: sealEvery, callers };
  return [
    row('–', `sealing every ${sealEvery} events ÷ appending them (${callers} callers)`, median(seals) / median(appends), { unit: '×', details }),
    row('–', 'append with a box ÷ without, one caller, p50', median(withBox) / median(plain), { unit: '×', details: { plain: median(plain), withBox: median(withBox) } }),
  ];
}

async function appendMany(store) {
  let left = sealEvery;
  const caller = async () => {
    while (left-- > 0) await store.append(sampleStream(), 'noStream', [sampleEvent()]);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
