import { describe, expect, it } from '@jest/globals';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import type { CallConditions } from '../../../src/projections/toolCallLog/queries.js';
import { countedRefusals } from '../../../src/projections/toolCallLog/refusalCounts.js';
import { folded, foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { TestLedger } from '../../support/projections/testLedger.js';

interface Counted {
  readonly caller: string;
  readonly workspace: string;
  readonly at: number;
  readonly counts: { readonly [reason: string]: number };
}

function count(ledger: TestLedger, { caller, workspace, at, counts }: Counted): void {
  const total = Math.max(...Object.values(counts));
  ledger.add({ type: 'ToolCallRefusalsCounted', data: { caller, since: 0, counts, total } }, { stream: `toolRefusals-${workspace}`, actor: 'system', workspace, recordedAt: at });
}

/** Four counts, at 1000, 2000, 3000 and 4000. */
function history(): TestLedger {
  const ledger = new TestLedger();
  count(ledger, { caller: 'ada', workspace: 'local', at: 1000, counts: { switched_off: 1, workspace_closed: 1 } });
  count(ledger, { caller: 'ada', workspace: 'g7', at: 2000, counts: { switched_off: 10 } });
  count(ledger, { caller: 'bob', workspace: 'local', at: 3000, counts: { unknown_tool: 100 } });
  count(ledger, { caller: 'bob', workspace: 'g7', at: 4000, counts: { unknown_tool: 1000 } });
  return ledger;
}

function found(ledger: TestLedger, filter: CallConditions) {
  return countedRefusals(folded(toolCallLog, ledger).db, filter);
}

describe('refusals that were only counted', () => {
  it.each<[CallConditions, number]>([
    [{}, 1111],
    [{ outcome: 'refused' }, 1111],
    [{ workspace: 'g7' }, 1010],
    [{ subject: 'ada' }, 11],
    [{ subject: 'ada', workspace: 'g7' }, 10],
    [{ since: 2000, until: 4000 }, 110],
    [{ until: 2000 }, 1],
    [{ reason: 'switched_off' }, 11],
    [{ reason: 'workspace_closed' }, 1],
    [{ reason: 'toString' }, 0],
    [{ subject: 'eve' }, 0],
  ])('are told for a filter that finds them: %j', (filter, total) => {
    expect(found(history(), filter)).toEqual({ total, complete: true });
  });

  it.each<CallConditions>([{ tool: 'x' }, { server: 'x' }, { channel: '1' }, { text: 'x' }, { outcome: 'failed' }, { outcome: 'open' }])(
    'are not told for one that only a call can meet: %j',
    (filter) => expect(found(history(), filter)).toBeNull(),
  );

  it('are told as "at least" where there are more counts than are looked at', () => {
    const { db } = folded(toolCallLog, history());
    expect(countedRefusals(db, {}, 3)).toEqual({ total: 1110, complete: false });
    expect(countedRefusals(db, { since: 2000 }, 3)).toEqual({ total: 1110, complete: true });
  });

  it('go with their payloads, live as in a rebuild, but for those that stay', () => {
    const ledger = history();
    const live = modelInMemory(toolCallLog, ledger);
    foldInto([live], ledger);
    const drop = { category: 'toolRefusals', from: 1, to: 3, kept: [2], events: 2, recordedBefore: 9000 } as const;
    ledger.add({ type: 'EventsDropped', data: drop }, { stream: 'ledger-operations', actor: 'system' });
    ledger.drop([1, 3]);
    foldInto([live], ledger);
    expect(countedRefusals(live.db, {})).toEqual({ total: 1010, complete: true });
    expect(countedRefusals(folded(toolCallLog, ledger).db, {})).toEqual({ total: 1010, complete: true });
  });
});
