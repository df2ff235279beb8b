/** A command that somebody is told to type: with its workspace, where that is not the one meant without. */
export function commandIn(workspace: string, command: string): string {
  return `toolledger ${command}${workspace === 'local' ? '' : ` --workspace ${workspace}`}`;
}
