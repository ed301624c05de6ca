#[derive(Debug, Clone)]
#[derive(Copy)]
pub enum Mode {
    Fast,
    Safe,
}
