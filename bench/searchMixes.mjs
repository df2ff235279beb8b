import { builtIns, channels, failureCodes, refusalReasons, servers, stepMs, unknownCauses, workspaces } from './history.mjs';
import { commonJapanese, commonWord, rareJapanese, rareWord, wordAt } from './vocabulary.mjs';

/**
 * The 100 mixes of filters that searches are measured with: what reviewers ask for, common and rare, single and
 * combined, with and without text, and mixes that nothing matches.
 * @param seed what `seed` gave
 * @returns filters without limit and order
 */
export function searchMixes({ subjects, begins, ends }) {
  const span = ends - begins;
  const at = (share) => begins + Math.floor(span * share);
  const [common, frequent, seldom] = [subjects[1], subjects[10], subjects[190]];
  const [busy, quiet] = [workspaces[1], workspaces[39]];
  const [everyday, unusual] = [builtIns[0], builtIns[5]];
  const otherServer = servers[29];
  return [
    // One filter, 22.
    {},
    ...workspaces.slice(0, 3).map((workspace) => ({ workspace })),
    { workspace: quiet },
    { workspace: 'g999' },
    { channel: channels[0] },
    { channel: channels[199] },
    { subject: common },
    { subject: seldom },
    { subject: subjects[0] },
    { tool: everyday },
    { tool: unusual },
    { tool: `${otherServer.name}__write` },
    { tool: 'no_such_tool' },
    { server: servers[0].name },
    { server: otherServer.serverId },
    { outcome: 'succeeded' },
    { outcome: 'failed' },
    { outcome: 'unknown' },
    { outcome: 'open' },
    { reason: refusalReasons[6] },
    // Times, 10.
    { since: at(0.99) },
    { until: at(0.01) },
    { since: at(0.5), until: at(0.5) + 10 * stepMs },
    { until: begins - 1 },
    { since: ends + 1 },
    { since: at(0.2), until: at(0.3), workspace: busy },
    { since: at(0.2), until: at(0.3), tool: unusual, outcome: 'failed' },
    { since: at(0.7), until: at(0.71), subject: seldom },
    { until: at(0.05), outcome: 'unknown' },
    { until: at(0.1), channel: channels[150], outcome: 'refused' },
    // Several filters, 32.
    { workspace: busy, tool: everyday },
    { workspace: quiet, tool: unusual },
    { workspace: 'local', outcome: 'failed' },
    { workspace: quiet, outcome: 'unknown' },
    { workspace: busy, subject: common },
    { workspace: quiet, subject: seldom },
    { subject: common, outcome: 'succeeded' },
    { subject: frequent, outcome: 'refused' },
    { subject: seldom, outcome: 'cancelled' },
    { subject: seldom, tool: unusual },
    { channel: channels[0], subject: common },
    { channel: channels[199], subject: seldom },
    { channel: channels[5], tool: everyday, outcome: 'succeeded' },
    { channel: channels[180], tool: unusual, outcome: 'failed' },
    { server: servers[1].name, outcome: 'failed' },
    { server: otherServer.name, outcome: 'cancelled' },
    { server: servers[0].name, workspace: busy, outcome: 'refused' },
    { server: servers[0].name, workspace: quiet },
    { reason: refusalReasons[0], workspace: busy },
    { reason: refusalReasons[5], subject: seldom },
    { reason: unknownCauses[3], tool: unusual },
    { reason: failureCodes[0], tool: everyday },
    { reason: failureCodes[4], channel: channels[199] },
    { reason: 'no_such_code', outcome: 'refused' },
    { outcome: 'succeeded', reason: failureCodes[0] },
    { outcome: 'open', workspace: busy },
    { tool: everyday, server: servers[0].name },
    { tool: everyday, outcome: 'unknown', workspace: 'local' },
    { tool: unusual, subject: seldom, channel: channels[190] },
    { tool: unusual, subject: common, channel: channels[100], outcome: 'failed' },
    { workspace: quiet, subject: seldom, tool: unusual, outcome: 'cancelled' },
    { workspace: busy, subject: common, tool: everyday, outcome: 'succeeded', channel: channels[0] },
    // Text alone, 14.
    ...[commonWord, rareWord, commonJapanese, rareJapanese, '資料を', 'nosuchwordanywhere', wordAt(0), wordAt(40), wordAt(19_900)].map((text) => ({ text })),
    { text: `${commonWord} ${wordAt(3)}` },
    { text: `${commonWord} ${rareWord}` },
    { text: `${wordAt(1)} ${wordAt(2)} ${wordAt(3)}` },
    { text: `${rareWord.slice(0, 4)}*` },
    { text: `${wordAt(19_000).slice(0, 5)}*` },
    // A common word with filters from common to rare, 14.
    ...[
      { workspace: busy },
      { workspace: quiet },
      { subject: seldom },
      { outcome: 'unknown' },
      { outcome: 'cancelled', workspace: quiet },
      { channel: channels[199] },
      { tool: unusual },
      { server: otherServer.name },
      { reason: refusalReasons[6] },
      { reason: 'no_such_code' },
      { workspace: 'g999' },
      { subject: seldom, tool: unusual, outcome: 'failed' },
      { outcome: 'open' },
      { subject: common, outcome: 'succeeded' },
    ].map((filter) => ({ text: commonWord, ...filter })),
    // Other text with filters and times, 8.
    { text: rareWord, outcome: 'succeeded' },
    { text: rareWord, workspace: quiet },
    { text: commonJapanese, subject: seldom },
    { text: rareJapanese, outcome: 'failed' },
    { text: wordAt(40), workspace: busy, outcome: 'refused' },
    { text: commonWord, since: at(0.5), until: at(0.5) + 100 * stepMs },
    { text: commonWord, until: at(0.02) },
    { text: wordAt(5), since: at(0.3), until: at(0.6), channel: channels[120] },
  ];
}
