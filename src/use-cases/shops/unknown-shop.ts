import { PurveyorError } from '../../errors.ts'

export const unknownShop = (id: string): PurveyorError =>
  new PurveyorError('UNKNOWN_SHOP', `There is no shop ${id}. See: purveyor shop list`, { place: id })
