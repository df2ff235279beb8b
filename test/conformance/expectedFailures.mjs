/** Checks of the suite that this product fails on purpose, each with the reason. One that passes after all is an error too. */
export const expectedFailures = {
  'elicitation-sep1034-client-defaults': {
    checks: [
      'client-elicitation-sep1034-string-default',
      'client-elicitation-sep1034-integer-default',
      'client-elicitation-sep1034-number-default',
      'client-elicitation-sep1034-enum-default',
      'client-elicitation-sep1034-boolean-default',
      'client-elicitation-sep1034-general',
    ],
    reason: 'It wants an answer in a person\'s name without asking one; servers are told that nothing can be asked here.',
  },
};
