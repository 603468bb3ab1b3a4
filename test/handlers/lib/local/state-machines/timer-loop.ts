import type { Definition } from '../../../../../lib/deployment/state-machines/definition.ts';

/** A timer as in the project: wait, run the task, then loop with a new due time or end. */
export const timerLoop: Definition = {
  QueryLanguage: 'JSONata',
  StartAt: 'Wait until due',
  States: {
    'Wait until due': { Type: 'Wait', Timestamp: '{% $states.input.dueAt %}', Next: 'Run task' },
    'Run task': {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: {
        FunctionName: 'arn:aws:lambda:eu-central-1:000000000000:function:timer',
        Payload: '{% $states.input %}',
      },
      Output: '{% $states.result.Payload %}',
      Retry: [
        {
          ErrorEquals: ['States.ALL'],
          IntervalSeconds: 60,
          MaxAttempts: 3,
          BackoffRate: 2,
          MaxDelaySeconds: 200,
        },
      ],
      Next: 'Again?',
    },
    'Again?': {
      Type: 'Choice',
      Choices: [{ Condition: "{% $states.input.next = 'again' %}", Next: 'Wait until due' }],
      Default: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};
