#[derive(Copy, Debug, Clone)]
pub enum Mode {
    Fast,
    Safe,
}
