import type { Views } from '../../projections/views.js';

const pageSize = 1_000;

/** Every call that the call log shows as open. */
export async function openCalls(views: Pick<Views, 'query'>): Promise<readonly { readonly callId: string; readonly workspace: string }[]> {
  const found: { readonly callId: string; readonly workspace: string }[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof views.query<'searchCalls'>>> = await views.query('searchCalls', {
      outcome: 'open',
      order: 'oldest',
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...page.calls);
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
}
