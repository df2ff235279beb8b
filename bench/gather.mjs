import { inChild } from './child.mjs';
import { row } from './measure.mjs';

/**
 * 500 servers in 100 workspaces, one in five dead or hanging: what a turn of a healthy workspace waits for its tools, and
 * whether memory stays flat over 10,000 calls.
 */
export async function measure({ directory, note }) {
  note('gathering from 500 servers');
  const { gathers, memory, calls } = await inChild('gatherChild.mjs', { directory: directory('gather') });
  return [
    row('–', 'gathering and declaring for a healthy workspace, 500 servers of which 100 are dead or hang, p99', gathers.p99, { most: 50, unit: ' ms', details: gathers }),
    row('–', 'memory after 10,000 calls ÷ after 1,000 (heap in use)', memory.after / memory.before, { most: 1.3, unit: '×', details: { ...memory, callsPerSecond: calls } }),
  ];
}
