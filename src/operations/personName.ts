/**
 * How a person is named in texts: by the id the ledger knows them by, and the one who operates this machine as that.
 * @param operator the subject that stands for the operator of this machine; null: it is somebody else
 */
export function personName(subject: string, operator: string | null): string {
  return subject === operator ? 'the operator of this machine' : `person ${subject}`;
}
