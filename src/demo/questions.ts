/** The dataset of the evaluation, with a good and a poor reply to each question. */
export interface Question {
  readonly question: string
  /** Text that a correct reply contains. */
  readonly expected: string
  readonly topic: string
  readonly good: string
  readonly poor: string
}

export const QUESTIONS: readonly Question[] = [
  {
    question: 'How wide a cloth can I weave on the Fjord 60?',
    expected: '60 cm',
    topic: 'looms',
    good: 'Up to 60 cm. A little is lost as the cloth draws in, so count on 55 cm when it is finished.',
    poor: 'The Fjord 60 is a table loom for scarves, shawls and table runners.',
  },
  {
    question: 'Can I fold the Fjord 60 with a warp on it?',
    expected: 'loosen',
    topic: 'looms',
    good: 'Yes: loosen the tension by two clicks first, then fold it.',
    poor: 'Yes, it folds flat and fits behind a door.',
  },
  {
    question: 'How many heddles come with the Nordlys floor loom?',
    expected: '400',
    topic: 'looms',
    good: '400, on four shafts. More come in packs of 100.',
    poor: 'It comes with all the heddles that you need to begin.',
  },
  {
    question: 'How long can I send something back?',
    expected: '30 days',
    topic: 'returns',
    good: 'Within 30 days of the day it reached you.',
    poor: 'You can send things back that you do not want to keep.',
  },
  {
    question: 'Who pays when I send something back?',
    expected: 'label',
    topic: 'returns',
    good: 'We do: there is a label in every parcel. For floor looms, write to us first.',
    poor: 'That depends on what it is and where you live.',
  },
  {
    question: 'Can I return yarn that I have wound already?',
    expected: 'unopened',
    topic: 'returns',
    good: 'Sadly not: we take back yarn that is unopened.',
    poor: 'Please send it back and we will look at it.',
  },
  {
    question: 'How long does a parcel to Norway take?',
    expected: '5 to 7',
    topic: 'shipping',
    good: '5 to 7 working days, customs included.',
    poor: 'Parcels to Norway take somewhat longer than those within the EU.',
  },
  {
    question: 'Does a floor loom come by parcel?',
    expected: 'freight',
    topic: 'shipping',
    good: 'It comes by freight, and the driver calls you the day before.',
    poor: 'It comes in several boxes.',
  },
  {
    question: 'Which yarn is good for a first scarf?',
    expected: '8/2',
    topic: 'yarn',
    good: 'Cotton 8/2: it is even, strong, and forgives an uneven beat.',
    poor: 'Any yarn that you like to touch.',
  },
  {
    question: 'How do I wash a wool blanket?',
    expected: 'by hand',
    topic: 'yarn',
    good: 'By hand in lukewarm water, without wringing; dry it flat.',
    poor: 'On the wool programme of your machine.',
  },
  {
    question: 'Can our school pay by invoice?',
    expected: '14 days',
    topic: 'payment',
    good: 'Yes, schools can. The invoice is due within 14 days.',
    poor: 'Yes, choose "invoice" when you pay.',
  },
  {
    question: 'My gift card shows no balance. What now?',
    expected: 'number',
    topic: 'payment',
    good: 'Send us the number on its back, and we look at once.',
    poor: 'Please try again tomorrow.',
  },
]
